/** Events that tell a message's text are kept for a week, set aside or not; they never tell a text that the message no longer has. */
import { sql } from 'kysely'
import type { Tx } from '../platform/db/index.js'

const TELLING = sql`type in ('message.created', 'message.updated')`
/** The reason that an event was set aside for may quote the text. */
const UNQUOTED = 'not kept, since the message was changed'
const MESSAGE_ID = sql`(payload ->> 'message_id')::bigint`

/** After an edit earlier events carry the new text: nobody who reads them late is told the old one. */
export async function rewriteEvents(tx: Tx, id: number, content: string) {
  await sql`
    update events set payload = payload || jsonb_build_object('content', ${content}::text)
    where ${TELLING} and ${MESSAGE_ID} = ${id}`.execute(tx)
  await sql`
    update set_aside_events set payload = payload || jsonb_build_object('content', ${content}::text), reason = ${UNQUOTED}
    where ${TELLING} and ${MESSAGE_ID} = ${id}`.execute(tx)
}

/**
 * Events that nobody was told of are dropped, the others become the deletion. A row that the relay holds is waited for
 * by the first statement, and found with its position by the second or set aside by the third.
 */
export async function withdrawEvents(tx: Tx, ids: readonly number[]) {
  await sql`
    delete from events where position is null and ${TELLING} and ${MESSAGE_ID} = any(${ids})`.execute(tx)
  await sql`
    update events set type = 'message.deleted', payload = payload || '{"content": ""}'
    where ${TELLING} and ${MESSAGE_ID} = any(${ids})`.execute(tx)
  await sql`
    update set_aside_events set type = 'message.deleted', payload = payload || '{"content": ""}', reason = ${UNQUOTED}
    where ${TELLING} and ${MESSAGE_ID} = any(${ids})`.execute(tx)
}
