import type { ThreadInboxItem, TimelineMessage } from '@parley/contract'
import { followingAfter, unreadWith } from '../messages/thread-line.js'
import type { Change, LiveFrame } from '../platform/changes.js'
import { joinPages } from '../platform/pages.js'
import type { Area } from '../platform/store.js'

/** Followed threads, latest reply first; null until they are read. */
export interface ThreadInbox {
  items: readonly ThreadInboxItem[] | null
  /** Where the next page begins; null where there is none. */
  next: string | null
  /** Grows when something came that frames do not tell all of: it is to be read again. */
  revision: number
}

const EMPTY: ThreadInbox = { items: null, next: null, revision: 0 }
const SHOWN_REPLIES = 2

function withReply(item: ThreadInboxItem, reply: TimelineMessage, me: number): ThreadInboxItem {
  const { thread, last_replies } = item
  if (last_replies.some(({ id }) => id >= reply.id)) return item
  return {
    ...item,
    thread: {
      ...thread,
      replies_count: thread.replies_count + 1,
      last_reply_at: reply.created_at,
      unread_count: unreadWith(thread, reply, me),
    },
    last_replies: [...last_replies, reply].slice(-SHOWN_REPLIES),
  }
}

function withEdit(item: ThreadInboxItem, message: TimelineMessage): ThreadInboxItem {
  const put = (known: TimelineMessage) => (known.id === message.id ? message : known)
  const { thread, parent } = item
  const last_replies = item.last_replies.map(put).filter(({ deleted_at }) => deleted_at === null)
  const replies_count = thread.replies_count - (item.last_replies.length - last_replies.length)
  return { thread: { ...thread, replies_count }, parent: parent && put(parent), last_replies }
}

/** Replies after the pointer are unread: the frame may be older than the item, or tell of reading half of it. */
function withPointer(item: ThreadInboxItem, payload: LiveFrame['payload'], me: number): ThreadInboxItem {
  const { thread, last_replies } = item
  const read_message_id = payload.message_id ?? Number.POSITIVE_INFINITY
  const later = last_replies.filter(({ id }) => id > read_message_id)
  // Where all of those that are here come after it, others before them may too.
  if (later.length === SHOWN_REPLIES) return item
  const unread_count = later.filter(({ user_id }) => user_id !== me).length
  return { ...item, thread: { ...thread, unread_count } }
}

function withCount(item: ThreadInboxItem, chat_id: number, unread_count: number): ThreadInboxItem {
  const { thread } = item
  return thread.chat_id === chat_id ? { ...item, thread: { ...thread, unread_count } } : item
}

function reduceLive(items: readonly ThreadInboxItem[], frame: LiveFrame, me: number) {
  const { type, chat_id, message, payload } = frame
  const at = items.findIndex(({ thread }) => thread.chat_id === (message?.chat_id ?? chat_id))
  const item = items[at]
  if (type === 'read.moved' && item && payload.user_id === me)
    return items.with(at, withPointer(item, payload, me))
  const following = followingAfter(frame, me)
  if (item && following !== null && following !== item.thread.following)
    return items.with(at, { ...item, thread: { ...item.thread, following, unread_count: 0 } })
  if (!message) return items
  if (type !== 'message.created') return items.map((one) => withEdit(one, message))
  return item ? [withReply(item, message, me), ...items.toSpliced(at, 1)] : items
}

/** A thread that is not here yet, a deleted reply in whose place an earlier one is shown, or a chat that was left. */
function asksForReading(items: readonly ThreadInboxItem[], frame: LiveFrame, me: number): boolean {
  const { type, chat_id, message } = frame
  const item = items.find(({ thread }) => thread.chat_id === (message?.chat_id ?? chat_id))
  if (type === 'message.created') return message?.entity_type === 'thread' && item === undefined
  if (type === 'message.deleted') return item?.last_replies.some(({ id }) => id === message?.id) ?? false
  const following = followingAfter(frame, me)
  if (following) return item === undefined
  return following === false && items.some(({ thread }) => thread.root_chat_id === chat_id)
}

function withFrame(state: ThreadInbox, frame: LiveFrame, me: number): ThreadInbox {
  const { items, revision } = state
  if (!items) return state
  const next = reduceLive(items, frame, me)
  if (asksForReading(items, frame, me)) return { ...state, items: next, revision: revision + 1 }
  return next === items ? state : { ...state, items: next }
}

export const threadInbox: Area<ThreadInbox> = {
  initial: EMPTY,
  reduce(state, change: Change) {
    switch (change.type) {
      case 'thread_inbox':
        return {
          ...state,
          items: joinPages((change.more && state.items) || [], change.items, ({ thread }) => thread.id),
          next: change.next,
        }
      case 'thread_followed':
        return {
          ...state,
          items:
            state.items?.map((item) =>
              item.thread.id === change.thread_id
                ? { ...item, thread: { ...item.thread, following: change.following } }
                : item,
            ) ?? null,
        }
      case 'thread_counted':
        return {
          ...state,
          items: state.items?.map((item) => withCount(item, change.chat_id, change.unread_count)) ?? null,
        }
      case 'live':
        return withFrame(state, change.frame, change.me)
      case 'stale':
      case 'signed_out':
        return { ...EMPTY, revision: state.revision }
      default:
        return state
    }
  },
}
