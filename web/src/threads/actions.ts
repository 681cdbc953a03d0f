import type { TimelineMessage } from '@parley/contract'
import { applyAgain } from '../messages/actions.js'
import { followingAfter } from '../messages/thread-line.js'
import { call } from '../platform/api.js'
import { type Change, hasLost, isOfChat, type LiveFrame } from '../platform/changes.js'
import { navigate } from '../platform/navigate.js'
import { nextOf } from '../platform/pages.js'
import { apply, hearing, state } from '../store.js'

/** Opens the thread of a message beside its chat, and begins it where there is none. */
export async function openThread(message: TimelineMessage) {
  const { chat_id, thread } = message
  const id = thread?.id ?? (await call('createThread', { params: { id: message.id } })).data.id
  navigate(`/chats/${chat_id}?thread=${id}`)
}

/** Reads the message above a thread; the messages of its chat that are here may end below it. */
export function readParent(chatId: number, messageId: number): Promise<void> {
  const query = { around: messageId, limit: 1 }
  return hearing(call('listTimeline', { params: { id: chatId }, query }), ({ data, people }, heard) => {
    if (hasLost(heard)) return readParent(chatId, messageId)
    const parent = data.find(({ id }) => id === messageId)
    if (!parent) return
    apply({ type: 'people', people })
    apply({ type: 'thread_parent', message: parent })
    applyAgain(heard, chatId)
  })
}

const PAGE = 20

/** As many of the followed threads as are here, from the start. */
async function askShown(shown: number) {
  const all = await call('listThreadInbox', { query: { limit: PAGE } })
  for (let next = nextOf(all.meta); next !== null && all.data.length < shown; next = nextOf(all.meta)) {
    const { data, people, meta } = await call('listThreadInbox', { query: { limit: PAGE, cursor: next } })
    all.data.push(...data)
    all.people.push(...people)
    all.meta = meta
  }
  return all
}

/** Reads the followed threads from the start, or goes on where the last page ended. */
export function readThreadInbox(cursor: string | null = null): Promise<void> {
  const shown = state.threadInbox.peek().items?.length ?? 0
  const asked =
    cursor === null ? askShown(shown) : call('listThreadInbox', { query: { limit: PAGE, cursor } })
  return hearing(asked, ({ data, people, meta }, heard) => {
    // Then the pages before it are gone too.
    if (hasLost(heard)) return readThreadInbox()
    apply({ type: 'people', people })
    apply({ type: 'thread_inbox', items: data, next: nextOf(meta), more: cursor !== null })
    const isAbout = (change: Change) => data.some(({ thread }) => isOfChat(change, thread.chat_id))
    for (const change of heard) if (change.type === 'thread_followed' || isAbout(change)) apply(change)
  })
}

/** Follows a thread or stops; shown at once and put right when refused. */
export async function followThread(thread_id: number, following: boolean) {
  apply({ type: 'thread_followed', thread_id, following })
  try {
    await call('followThread', { params: { id: thread_id }, body: { following } })
    // A reading that was asked for later may have overtaken it.
    apply({ type: 'thread_followed', thread_id, following })
  } catch (error) {
    apply({ type: 'thread_followed', thread_id, following: !following })
    throw error
  }
}

const COUNT_AFTER_MS = 800
const COUNTED_THREADS = 300
/** The server counts no further. */
const COUNTED_AT_MOST = 100
let timer: ReturnType<typeof setTimeout> | undefined

/** Whether what happened may have changed how many threads are unread, and how much of them. */
function isCounted(frame: LiveFrame, me: number): boolean {
  const { type, chat_id, message, payload } = frame
  if (type === 'message.created' || type === 'message.deleted') return message?.entity_type === 'thread'
  const isRead = type === 'read.moved' && payload.user_id === me
  if ((!isRead && followingAfter(frame, me) === null) || chat_id === null) return false
  // Of threads there is a card where they were looked at, or where it came with the frame.
  const card = state.chats.peek().get(chat_id)
  return card === undefined || card.kind === 'thread'
}

/** The server counts unread threads again, once it is quiet. */
export function recountThreads(frame: LiveFrame, me: number) {
  if (!isCounted(frame, me)) return
  clearTimeout(timer)
  timer = setTimeout(() => void countThreads(me).catch(() => {}), COUNT_AFTER_MS)
}

function countThreads(me: number) {
  return hearing(call('listUnread', { query: { limit: COUNTED_THREADS } }), ({ data, meta }, heard) => {
    const counts = new Map(
      data.flatMap((one) => (one.thread_id === null ? [] : [[one.chat_id, one.unread_count]])),
    )
    apply({ type: 'unread_threads', count: counts.size })
    const others = nextOf(meta) === null ? 0 : COUNTED_AT_MOST
    // What came meanwhile may not be in the answer, and is counted when it is quiet again.
    const isLate = (chat_id: number) =>
      heard.some(
        (change) => change.type === 'live' && isCounted(change.frame, me) && isOfChat(change, chat_id),
      )
    for (const { thread } of state.threadInbox.peek().items ?? []) {
      const { chat_id } = thread
      const unread_count = counts.get(chat_id) ?? others
      if (unread_count < COUNTED_AT_MOST && !isLate(chat_id))
        apply({ type: 'thread_counted', chat_id, unread_count })
    }
  })
}
