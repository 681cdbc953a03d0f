import type { TimelineMessage } from '@parley/contract'
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

const PAGE = 20

/** Reads the followed threads from the start, or goes on where the last page ended. */
export function readThreadInbox(cursor: string | null = null): Promise<void> {
  const query = { limit: PAGE, ...(cursor === null ? {} : { cursor }) }
  return hearing(call('listThreadInbox', { query }), ({ data, people, meta }, heard) => {
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
let timer: ReturnType<typeof setTimeout> | undefined

/** What happened may have changed how many threads are unread; the server counts them again. */
export function recountThreads({ type, chat_id, message, payload }: LiveFrame, me: number) {
  const inThread =
    type === 'read.moved'
      ? payload.user_id === me && chat_id !== null && !state.chats.peek().has(chat_id)
      : type === 'message.created' && message?.entity_type === 'thread'
  if (!inThread) return
  clearTimeout(timer)
  timer = setTimeout(() => void countThreads().catch(() => {}), COUNT_AFTER_MS)
}

async function countThreads() {
  const { data } = await call('listUnread', { query: { limit: 300 } })
  apply({ type: 'unread_threads', count: data.filter(({ thread_id }) => thread_id !== null).length })
}
