import type { TimelineMessage } from '@parley/contract'
import { readTimeline } from '../messages/actions.js'
import type { LiveFrame } from '../platform/changes.js'
import { state } from '../store.js'
import { readParent } from '../threads/actions.js'

/** Everybody in a chat hears of the same at the same moment, and does not ask at the same moment. */
const ASK_AFTER_MS = 500
const SPREAD_MS = 1_000

/** Asks again for what frames change without saying how, once for all that comes within a second. */
export interface Recounts {
  hear(frame: LiveFrame, me: number): void
  /** Whether a card may say otherwise than its chat is; it is asked for when the chat is opened. */
  isOwed(chatId: number): boolean
  /** The card was read. */
  settle(chatId: number): void
  stop(): void
}

/** A message that the card counts as unread. */
function isUnread({ id, chat_id, user_id }: TimelineMessage, me: number): boolean {
  const card = state.chats.peek().get(chat_id)
  return user_id !== me && card !== undefined && card.unread_count > 0 && id > (card.read_message_id ?? 0)
}

/** Reads the message above the thread of a reply, where it is shown. */
function readingAbove({ chat_id, root_chat_id }: TimelineMessage) {
  const isAbove = (one: TimelineMessage) => one.thread?.chat_id === chat_id
  const parent = state.messages.peek().get(root_chat_id)?.messages.find(isAbove)
  if (parent) return () => readTimeline(root_chat_id, { around: parent.id })
  const apart = state.threadParent.peek()
  return apart && isAbove(apart) ? () => readParent(root_chat_id, apart.id) : undefined
}

const listBound = (isMeant: (tagIds: readonly number[]) => boolean) =>
  [...state.chats.peek().values()].filter((card) => isMeant(card.group_tag_ids)).map(({ id }) => id)

/** Chats of which a frame changes what their cards say, without giving the cards. */
function outdatedBy({ type, chat_id, chat, payload }: LiveFrame, me: number): readonly number[] {
  if (type === 'group_tag.deleted') return listBound((tagIds) => tagIds.some((id) => id === payload.id))
  // Whom a tag keeps in a chat cannot leave it.
  if (type === 'company_members.updated' && payload.user_ids?.includes(me))
    return listBound((tagIds) => tagIds.length > 0)
  if (type !== 'chat_members.added' && type !== 'chat_members.removed') return []
  return chat_id === null || chat || !state.chats.peek().has(chat_id) ? [] : [chat_id]
}

const openChat = () => Number(/^\/chats\/(\d+)/.exec(location.pathname)?.[1])

export function createRecounts(readChat: (id: number) => Promise<void>): Recounts {
  /** What to ask for: cards by their chat, lines of threads by that of the thread. */
  const asked = new Map<string, () => Promise<unknown>>()
  const owed = new Set<number>()
  let timer: ReturnType<typeof setTimeout> | undefined

  function ask() {
    timer = undefined
    const readings = [...asked.values()]
    asked.clear()
    for (const read of readings) void read().catch(() => {})
  }

  function soon(key: string, read: () => Promise<unknown>) {
    asked.set(key, read)
    timer ??= setTimeout(ask, ASK_AFTER_MS + Math.random() * SPREAD_MS)
  }

  const soonCard = (chatId: number) => soon(`chat ${chatId}`, () => readChat(chatId))

  function hearDeletion(message: TimelineMessage, me: number) {
    const { chat_id } = message
    if (isUnread(message, me)) soonCard(chat_id)
    const read = message.entity_type === 'thread' ? readingAbove(message) : undefined
    if (read) soon(`thread ${chat_id}`, read)
  }

  return {
    hear(frame, me) {
      if (frame.type === 'message.deleted' && frame.message) hearDeletion(frame.message, me)
      for (const id of outdatedBy(frame, me)) {
        owed.add(id)
        if (id === openChat()) soonCard(id)
      }
    },
    isOwed: (chatId) => owed.has(chatId),
    settle: (chatId) => void owed.delete(chatId),
    stop() {
      clearTimeout(timer)
      timer = undefined
      asked.clear()
      owed.clear()
    },
  }
}
