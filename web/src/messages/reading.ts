import { pauseAfter } from '../platform/again.js'
import { call, mayPass } from '../platform/api.js'
import { apply, state } from '../store.js'

const SEEN_AFTER_MS = 500

/** By chat, the read position sent by this tab; threads have no card that holds it. */
const told = new Map<number, number>()
const waiting = new Map<number, ReturnType<typeof setTimeout>>()

/** A message was shown; when the window has the focus for a moment longer, everything up to it is read. */
export function noteSeen(chatId: number, messageId: number) {
  clearTimeout(waiting.get(chatId))
  waiting.set(
    chatId,
    setTimeout(() => void moveRead(chatId, messageId), SEEN_AFTER_MS),
  )
}

async function moveRead(chatId: number, messageId: number) {
  const read = state.chats.value.get(chatId)?.read_message_id
  const me = state.session.value?.user.id
  if (!document.hasFocus() || me === undefined || read === null) return
  if (messageId <= Math.max(read ?? 0, told.get(chatId) ?? 0)) return
  told.set(chatId, messageId)
  const payload = { user_id: me, message_id: messageId }
  apply({
    type: 'live',
    me,
    frame: { type: 'read.moved', chat_id: chatId, actor_id: me, created_at: '', payload },
  })
  await tell(chatId, messageId)
}

/** Says it until the server takes it, refuses it for good, or more was read meanwhile. */
async function tell(chatId: number, messageId: number) {
  for (let attempts = 0; told.get(chatId) === messageId; attempts += 1) {
    try {
      await call('markChatRead', { params: { id: chatId }, body: { message_id: messageId } })
      return
    } catch (error) {
      if (!mayPass(error)) return
      await new Promise((resolve) => setTimeout(resolve, pauseAfter(error, attempts)))
    }
  }
}
