import { insertImportedChats, insertImportedThreads } from '../chats/import-queries.js'
import { transaction } from '../platform/db/transaction.js'
import { listRootIds, listRoots } from './chat-queries.js'
import { findKeys, insertKeys } from './queries.js'
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
    const known = await findKeys(
      run.ctx.db,
      run.row,
      'thread',
      roots.map(({ source_id }) => source_id),
    )
    const made = roots.flatMap((root) => {
      const chat = run.chats.get(root.chat_id)
      if (!chat || known.has(root.source_id)) return []
      const creator = run.people.get(root.author_id ?? '')?.id ?? run.row.user_id
      return [{ ...root, parent: chat.id, creator, created_at: timeOf(root.at) }]
    })
    await transaction(run.ctx, async (tx) => {
      const chats = await insertImportedChats(
        tx,
        made.map(({ creator, created_at }) => ({
          kind: 'thread',
          name: '',
          description: null,
          public: false,
          owner_id: creator,
          personal_key: null,
          archived_at: null,
          created_at,
        })),
      )
      const threads = made.map((root, index) => ({ ...root, chat_id: chats[index] as number }))
      await insertImportedThreads(
        tx,
        threads.map(({ chat_id, parent, creator, created_at }) => ({
          chat_id,
          message_chat_id: parent,
          creator_id: creator,
          created_at,
        })),
      )
      const keys = threads.map(({ source_id, chat_id }) => ({ source_id, id: chat_id, made: true }))
      await insertKeys(tx, run.row, 'thread', keys)
    })
    after = ids.at(-1)
  }
}
