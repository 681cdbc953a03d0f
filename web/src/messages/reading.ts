import { call } from '../platform/api.js'
import { apply, state } from '../store.js'

const SEEN_AFTER_MS = 500

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
  const card = state.chats.value.get(chatId)
  const me = state.session.value?.user.id
  if (!document.hasFocus() || !card || card.read_message_id === null || me === undefined) return
  if (messageId <= card.read_message_id) return
  const payload = { user_id: me, message_id: messageId }
  apply({
    type: 'live',
    me,
    frame: { type: 'read.moved', chat_id: chatId, actor_id: me, created_at: '', payload },
  })
  await call('markChatRead', { params: { id: chatId }, body: { message_id: messageId } }).catch(() => {})
}
