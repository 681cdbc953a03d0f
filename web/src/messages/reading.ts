import { signal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { pauseAfter } from '../platform/again.js'
import { call, mayPass } from '../platform/api.js'
import { apply, state } from '../store.js'

const SEEN_AFTER_MS = 500

/** By chat, the read position sent by this tab; threads have no card that holds it. */
const told = new Map<number, number>()
const waiting = new Map<number, ReturnType<typeof setTimeout>>()
/** By chat, what ends once no read position is on its way to the server. */
const telling = new Map<number, Promise<unknown>>()

interface Marked {
  /** What follows is unread. */
  after: number
  /** How far it had been read: what is shown up to there does not count as read again. */
  seen: number
}

/** By chat that is open: what the person marked unread there. It can be read once the chat is opened again. */
export const markedUnread = signal<ReadonlyMap<number, Marked>>(new Map())

function noteMarked(chatId: number, marked: Marked | null) {
  if (!marked && !markedUnread.peek().has(chatId)) return
  const next = new Map(markedUnread.peek())
  next.delete(chatId)
  if (marked) next.set(chatId, marked)
  markedUnread.value = next
}

/** Makes a message and all later ones of a chat unread; without one, the last. */
export async function markUnread(chatId: number, messageId?: number) {
  const { read_message_id, last_message_id } = state.chats.peek().get(chatId) ?? {}
  const seen = Math.max(read_message_id ?? 0, told.get(chatId) ?? 0)
  const before = markedUnread.peek().get(chatId) ?? null
  noteMarked(chatId, {
    after: (messageId ?? last_message_id ?? 0) - 1,
    seen: Math.max(seen, before?.seen ?? 0),
  })
  // What was read before would take it back, if the server heard of it later.
  told.delete(chatId)
  await telling.get(chatId)
  const body = messageId === undefined ? {} : { message_id: messageId }
  try {
    await call('markChatUnread', { params: { id: chatId }, body })
  } catch (error) {
    noteMarked(chatId, before)
    throw error
  }
}

/** The screen of a chat or the pane of a thread, from its opening until it is left; null while its chat is not known. */
export function useReading(chatId: number | null) {
  useEffect(() => {
    if (chatId === null) return
    letRead(chatId)
    return () => letRead(chatId)
  }, [chatId])
}

/** A chat is opened or left: what is shown of it from now on is read, also where it was marked unread. */
function letRead(chatId: number) {
  if (!markedUnread.peek().has(chatId)) return
  // What was shown just before it is left was marked unread all the same.
  clearTimeout(waiting.get(chatId))
  told.delete(chatId)
  noteMarked(chatId, null)
}

/** A message was shown; when the window has the focus for a moment longer, everything up to it is read. */
export function noteSeen(chatId: number, messageId: number) {
  clearTimeout(waiting.get(chatId))
  waiting.set(
    chatId,
    setTimeout(() => moveRead(chatId, messageId), SEEN_AFTER_MS),
  )
}

/** Nothing is kept of how far somebody has read a thread that they do not follow. */
function isUnfollowed(chatId: number): boolean {
  const shown = [...state.messages.peek().values()].flatMap(({ messages }) => messages)
  const parent = [state.threadParent.peek(), ...shown].find((message) => message?.thread?.chat_id === chatId)
  return parent?.thread?.following === false
}

function moveRead(chatId: number, messageId: number) {
  const read = state.chats.value.get(chatId)?.read_message_id
  if (read === undefined && isUnfollowed(chatId)) return
  const me = state.session.value?.user.id
  if (!document.hasFocus() || me === undefined || read === null) return
  const seen = markedUnread.peek().get(chatId)?.seen ?? 0
  if (messageId <= Math.max(read ?? 0, told.get(chatId) ?? 0, seen)) return
  told.set(chatId, messageId)
  const payload = { user_id: me, message_id: messageId }
  apply({
    type: 'live',
    me,
    frame: { type: 'read.moved', chat_id: chatId, actor_id: me, created_at: '', payload },
  })
  const all = Promise.all([telling.get(chatId), tell(chatId, messageId)]).then(() => {
    if (telling.get(chatId) === all) telling.delete(chatId)
  })
  telling.set(chatId, all)
}

/** Says it until the server takes it, refuses it for good, or more was read meanwhile. */
async function tell(chatId: number, messageId: number) {
  for (let attempts = 0; told.get(chatId) === messageId; attempts += 1) {
    try {
      const params = { id: chatId }
      await call('markChatRead', { params, body: { message_id: messageId }, keepalive: true })
      return
    } catch (error) {
      if (!mayPass(error)) return
      await new Promise((resolve) => setTimeout(resolve, pauseAfter(error, attempts)))
    }
  }
}
