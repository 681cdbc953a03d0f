/** Events with a message's text are kept for a week, set aside or not; they never contain a text that the message no longer has. */
import { sql } from 'kysely'
import type { Tx } from '../platform/db/index.js'
import { changeKeptEvents, deleteWaitingEvents } from '../platform/events/queries.js'

const UNQUOTED = 'not kept, since the message was changed'

function telling(ids: readonly number[]) {
  return sql`type in ('message.created', 'message.updated') and (payload ->> 'message_id')::bigint = any(${ids})`
}

/** After an edit earlier events carry the new text: late readers do not receive the old one. */
export function rewriteEvents(tx: Tx, id: number, content: string) {
  return changeKeptEvents(tx, telling([id]), { payload: { content } }, UNQUOTED)
}

/**
 * Events that nobody received yet are dropped, the others become the deletion. A row that the relay holds is waited for
 * by the first statement, and found with its position by the second or set aside by the third.
 */
export async function withdrawEvents(tx: Tx, ids: readonly number[]) {
  await deleteWaitingEvents(tx, telling(ids))
  await changeKeptEvents(tx, telling(ids), { type: 'message.deleted', payload: { content: '' } }, UNQUOTED)
}
