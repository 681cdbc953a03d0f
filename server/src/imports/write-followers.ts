import type { ThreadFollowerRecord } from '@parley/imports'
import { insertImportedMembers, listThreadParents } from '../chats/import-queries.js'
import { now } from '../platform/clock.js'
import type { Tx } from '../platform/db/index.js'
import { listReaders } from './chat-queries.js'
import { findKeys, type RecordRow } from './queries.js'
import { type Outcome, type Phase, type Run, writeResolved } from './run-state.js'

type Row = RecordRow<ThreadFollowerRecord>

/** Those who follow a thread see what is said in it: only members of its chat do. */
async function writeFollowers(tx: Tx, run: Run, rows: readonly Row[]): Promise<Outcome> {
  const roots = [...new Set(rows.map(({ body }) => body.message_id))]
  const threads = await findKeys(tx, run.row, 'thread', roots)
  const parents = await listThreadParents(tx, [...new Set(threads.values())])
  const readers = await listReaders(tx, [...new Set(parents.values())])
  const followerOf = ({ body }: Row) => {
    const chat_id = threads.get(body.message_id)
    const person = run.people.get(body.person_id)
    if (chat_id === undefined) return 'is of a message that was skipped'
    if (!person) return 'is nobody known'
    if (person.former) return 'is a former member'
    const inside = readers.get(parents.get(chat_id) ?? 0)?.has(person.id)
    return inside ? { chat_id, user_id: person.id, role: 'member' } : 'is no member of the chat'
  }
  return writeResolved('thread_follower', rows, followerOf, (followers) =>
    insertImportedMembers(tx, followers, now(run.ctx.clock)),
  )
}

export const followers: Phase<ThreadFollowerRecord> = {
  kind: 'thread_follower',
  batch: 2000,
  write: writeFollowers,
}
