import { insertImportedChats, insertImportedThreads, listThreadChats } from '../chats/import-queries.js'
import { listMessagePlaces } from '../messages/import-queries.js'
import type { Tx } from '../platform/db/index.js'
import { transaction } from '../platform/db/transaction.js'
import { listRootIds, listRoots, type RootRow } from './chat-queries.js'
import { findKeys, insertKeys, type Key } from './queries.js'
import { type Run, timeOf } from './run-state.js'

const BATCH = 1000

/**
 * Makes the threads that replies will be written into. Their messages are hung above them when those are written. Each
 * batch starts from what has no key yet, so that a run which was broken off goes on.
 */
export async function writeThreads(run: Run) {
  for (let after: string | undefined = ''; after !== undefined; ) {
    const ids: string[] = await listRootIds(run.ctx.db, after, BATCH)
    const roots = await listRoots(run.ctx.db, run.row, ids)
    await transaction(run.ctx, async (tx) => {
      const { made, found } = await sortRoots(tx, run, roots)
      const chats = await insertImportedChats(tx, made.map(chatOf))
      const threads = made.map((root, index) => ({ ...root, chat_id: chats[index] as number }))
      await insertImportedThreads(tx, threads)
      const keys = threads.map(({ source_id, chat_id }) => ({ source_id, id: chat_id, made: true }))
      await insertKeys(tx, run.row, 'thread', [...found, ...keys])
    })
    after = ids.at(-1)
  }
}

type NewThread = Omit<Parameters<typeof insertImportedThreads>[1][number], 'chat_id'> & { source_id: string }

/**
 * Roots without a key. A message of an earlier import may have got a thread here since: replies go into that one. Where the
 * message stands in another chat than the replies, they get no thread.
 */
async function sortRoots(tx: Tx, run: Run, roots: readonly RootRow[]) {
  const ids = roots.map(({ source_id }) => source_id)
  const known = await findKeys(tx, run.row, 'thread', ids)
  const written = await findKeys(tx, run.row, 'message', ids)
  const places = await listMessagePlaces(tx, [...written.values()])
  const threads = await listThreadChats(tx, [...written.values()])
  const made: NewThread[] = []
  const found: Key[] = []
  for (const { source_id, chat_id, author_id, at } of roots) {
    const chat = run.chats.get(chat_id)
    const message = places.get(written.get(source_id) ?? 0)
    if (!chat || known.has(source_id) || (message && message.chat_id !== chat.id)) continue
    const there = message && threads.get(message.id)
    if (there !== undefined) found.push({ source_id, id: there, made: false })
    else
      made.push({
        source_id,
        message_id: message?.id ?? null,
        message_chat_id: chat.id,
        creator_id: run.people.get(author_id ?? '')?.id ?? run.row.user_id,
        created_at: timeOf(at),
      })
  }
  return { made, found }
}

function chatOf({ creator_id, created_at }: NewThread) {
  return {
    kind: 'thread' as const,
    name: '',
    description: null,
    public: false,
    owner_id: creator_id,
    personal_key: null,
    archived_at: null,
    created_at,
  }
}
