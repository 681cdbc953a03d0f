import type {
  ChatCard,
  Draft,
  NotificationSettings,
  PersonCard,
  PersonPresence,
  Start,
  ThreadInboxItem,
  TimelineMessage,
  TimelineMeta,
  User,
  View,
} from '@parley/contract'

/** An event of the live stream as this person receives it. The payload differs by type; these are the fields we read. */
export interface LiveFrame {
  type: string
  chat_id: number | null
  actor_id: number
  created_at: string
  /** What the frame is about, as this person sees it now. */
  message?: TimelineMessage
  chat?: ChatCard
  people?: PersonCard[]
  draft?: Draft
  /** The Idempotency-Key of an own send, to its sender alone. */
  client_key?: string
  payload: {
    draft_id?: number
    message_id?: number
    view_id?: string
    user_id?: number
    user_ids?: number[]
    thread_id?: number | null
    code?: string
    name?: string | null
    read_message_id?: number
    unread_count?: number
    mention_count?: number
    /** Of notices: what they are about, and which were read. */
    kind?: string
    text?: string
    notice_ids?: number[]
    notices_unread?: number
    presence?: PersonPresence['presence']
    preferences?: Record<string, unknown>
    [more: string]: unknown
  }
}

export interface TimelinePage {
  data: TimelineMessage[]
  people: PersonCard[]
  meta: TimelineMeta
}

/** What a page of messages continues: the messages from one on, those up to one, or nothing. */
export type PagePlace = { before: number } | { after: number } | 'fresh'

/** Everything that may change the state: answers of the server, frames of the stream, and what the person did. */
export type Change =
  | { type: 'started'; start: Start }
  /** A page of the chats that the start leaves out, and what was heard while it was on its way. */
  | { type: 'more_chats'; chats: readonly ChatCard[]; heard: readonly Change[] }
  /** They were known before the start, and are on none of its pages. */
  | { type: 'chats_gone'; ids: ReadonlySet<number> }
  | { type: 'signed_out' }
  /** The stream lost too much: everything that was read is stale. */
  | { type: 'stale' }
  | { type: 'live'; frame: LiveFrame; me: number }
  /** The own profile was changed here. */
  | { type: 'profile'; user: User }
  | { type: 'people'; people: readonly PersonCard[] }
  | { type: 'presence'; people: readonly PersonPresence[] }
  | { type: 'chat'; chat: ChatCard }
  | { type: 'page'; chat_id: number; place: PagePlace; page: TimelinePage }
  | { type: 'message'; message: TimelineMessage }
  | { type: 'thread_inbox'; items: readonly ThreadInboxItem[]; next: string | null; more: boolean }
  | { type: 'thread_parent'; message: TimelineMessage }
  | { type: 'thread_followed'; thread_id: number; following: boolean }
  | { type: 'unread_threads'; count: number }
  | { type: 'thread_counted'; chat_id: number; unread_count: number }
  | { type: 'views'; views: readonly View[] }
  /** A page of the drafts that the start leaves out. */
  | { type: 'more_drafts'; drafts: readonly Draft[] }
  | { type: 'draft'; place: string; draft: Draft | null }
  /** The notices were read here. */
  | { type: 'notices_read' }
  | { type: 'notifications'; notifications: NotificationSettings }
  | { type: 'preferences'; preferences: Record<string, unknown> }

/** What the stream lost may be missing in an answer from before that as well. */
export const hasLost = (heard: readonly Change[]) => heard.some(({ type }) => type === 'stale')

/** The message that it tells of, if any. */
export function messageOf(change: Change): TimelineMessage | undefined {
  if (change.type === 'message') return change.message
  return change.type === 'live' ? change.frame.message : undefined
}

/** Whether something happened in the chat, or was written in one of its threads. */
export function isOfChat(change: Change, chatId: number): boolean {
  const frame = change.type === 'live' ? change.frame : undefined
  const message = messageOf(change)
  return [frame?.chat_id, frame?.chat?.id, message?.chat_id, message?.root_chat_id].includes(chatId)
}
