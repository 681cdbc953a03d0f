import type { TimelineMessage } from '@parley/contract'
import type { Change, LiveFrame, PagePlace, TimelinePage } from '../platform/changes.js'
import type { Area } from '../platform/store.js'
import { followingAfter, withFollowing, withReply } from './thread-line.js'

/** An unbroken part of a chat, oldest first, and whether the chat goes on beyond its ends. */
export interface Run {
  messages: readonly TimelineMessage[]
  has_older: boolean
  has_newer: boolean
  /** From the device, or from before something was missed: shown until a page takes its place, and never added to. */
  stale?: true
}

/** By chat, also by the chat of a thread. */
export type Messages = ReadonlyMap<number, Run>

const AT_MOST_IN_RUN = 1000
/** A run that grows message by message is cut in steps: each cut moves the list. */
const CUT_AT_ONCE = 200
const CHATS_AT_MOST = 20

/** Later news wins: a message that was edited or deleted since is not put back by an older copy. */
function later(known: TimelineMessage, other: TimelineMessage): TimelineMessage {
  if (!known.deleted_at !== !other.deleted_at) return known.deleted_at ? known : other
  return (other.changed_at ?? other.created_at) >= (known.changed_at ?? known.created_at) ? other : known
}

/** Two lists by id, each message once. */
function mergeMessages(
  known: readonly TimelineMessage[],
  more: readonly TimelineMessage[],
): TimelineMessage[] {
  const byId = new Map(known.map((message) => [message.id, message]))
  for (const message of more) {
    const there = byId.get(message.id)
    byId.set(message.id, there ? later(there, message) : message)
  }
  return [...byId.values()].sort((a, b) => a.id - b.id)
}

/** A page that continues the run is joined to it; a gap is never drawn over. */
function withPage(run: Run | undefined, place: PagePlace, page: TimelinePage): Run | undefined {
  return place === 'fresh' ? withFresh(run, page) : run && withMore(run, place, page)
}

/** A page that does not touch the run takes its place. */
function withFresh(run: Run | undefined, page: TimelinePage): Run {
  const { has_older, has_newer } = page.meta
  if (!run || run.stale || run.messages.length === 0 || !overlaps(run, page))
    return { messages: mergeMessages([], page.data), has_older, has_newer }
  const first = page.data[0]?.id ?? Number.POSITIVE_INFINITY
  const last = page.data.at(-1)?.id ?? 0
  return {
    messages: mergeMessages(run.messages, page.data),
    has_older: first <= firstOf(run) ? has_older : run.has_older,
    has_newer: last >= lastOf(run) ? has_newer : run.has_newer,
  }
}

/** A page that continues messages which are no longer here is left out. */
function withMore(run: Run, place: Exclude<PagePlace, 'fresh'>, page: TimelinePage): Run {
  const end = 'before' in place ? place.before : place.after
  if (run.stale || end < firstOf(run) || end > lastOf(run)) return run
  const messages = mergeMessages(run.messages, page.data)
  if ('before' in place) {
    const reachesFurther = (page.data[0]?.id ?? end) <= firstOf(run)
    const has_older = reachesFurther ? page.meta.has_older : run.has_older
    return trimmed({ messages, has_older, has_newer: run.has_newer }, 'newer')
  }
  const reachesFurther = (page.data.at(-1)?.id ?? end) >= lastOf(run)
  const has_newer = reachesFurther ? page.meta.has_newer : run.has_newer
  return trimmed({ messages, has_older: run.has_older, has_newer }, 'older')
}

const firstOf = (run: Run) => run.messages[0]?.id ?? 0
const lastOf = (run: Run) => run.messages.at(-1)?.id ?? 0

/** They share a message, or both reach the same end of the chat. */
function overlaps(run: Run, page: TimelinePage): boolean {
  if (!(run.has_newer || page.meta.has_newer) || !(run.has_older || page.meta.has_older)) return true
  const known = new Set(run.messages.map(({ id }) => id))
  return page.data.some(({ id }) => known.has(id))
}

/** A long run is cut at the end that is further from the reader. */
function trimmed(run: Run, end: 'older' | 'newer', slack = 0): Run {
  if (run.messages.length <= AT_MOST_IN_RUN + slack) return run
  if (end === 'older') return { ...run, messages: run.messages.slice(-AT_MOST_IN_RUN), has_older: true }
  return { ...run, messages: run.messages.slice(0, AT_MOST_IN_RUN), has_newer: true }
}

/** A message beyond an end is taken only where the run reaches that end of the chat; else a page will bring it. */
function withMessage(run: Run, message: TimelineMessage): Run {
  const isNewest = message.id > lastOf(run)
  const known = isNewest ? undefined : run.messages.find(({ id }) => id === message.id)
  if (known) {
    const next = later(known, message)
    if (next === known) return run
    return { ...run, messages: run.messages.map((one) => (one === known ? next : one)) }
  }
  if (run.stale) return run
  const before = message.id < firstOf(run)
  if ((before && run.has_older) || (isNewest && run.has_newer)) return run
  const messages = isNewest ? [...run.messages, message] : mergeMessages(run.messages, [message])
  return trimmed({ ...run, messages }, 'older', CUT_AT_ONCE)
}

/** The answer to an own send says less than the live frame, and never replaces it. */
function withSent(run: Run, message: TimelineMessage): Run {
  return run.messages.some(({ id }) => id === message.id) ? run : withMessage(run, message)
}

function changed(state: Messages, chatId: number, change: (run: Run) => Run): Messages {
  const run = state.get(chatId)
  const next = run && change(run)
  return !next || next === run ? state : new Map(state).set(chatId, next)
}

function reduceLive(state: Messages, frame: LiveFrame, me: number): Messages {
  const { type, message, chat_id } = frame
  const following = followingAfter(frame, me)
  if (following !== null && chat_id !== null) return withFollowed(state, chat_id, following)
  if (!message) return state
  const created = type === 'message.created' || type === 'message.system'
  const next = changed(state, message.chat_id, (run) => withMessage(run, message))
  if (!created || message.entity_type !== 'thread') return next
  return changed(next, message.root_chat_id, (run) => withReply(run, message, me))
}

/** The chat that the thread hangs in is not in the event. */
function withFollowed(state: Messages, chatId: number, following: boolean): Messages {
  return [...state.keys()].reduce(
    (after, id) => changed(after, id, (run) => withFollowing(run, chatId, following)),
    state,
  )
}

/** The chats read last are kept; a chat that is read moves to the end of the map. */
function withRun(state: Messages, chatId: number, run: Run): Messages {
  const next = new Map(state)
  next.delete(chatId)
  next.set(chatId, run)
  for (const oldest of next.keys()) {
    if (next.size <= CHATS_AT_MOST) break
    next.delete(oldest)
  }
  return next
}

export const messages: Area<Messages> = {
  initial: new Map(),
  reduce(state, change: Change) {
    switch (change.type) {
      case 'page': {
        const run = withPage(state.get(change.chat_id), change.place, change.page)
        return run ? withRun(state, change.chat_id, run) : state
      }
      case 'message':
        return changed(state, change.message.chat_id, (run) => withSent(run, change.message))
      case 'live':
        return reduceLive(state, change.frame, change.me)
      case 'stale':
        return new Map([...state].map(([chatId, run]) => [chatId, { ...run, stale: true }]))
      case 'signed_out':
        return new Map()
      default:
        return state
    }
  },
}
