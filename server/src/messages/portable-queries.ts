import { sql } from 'kysely'
import type { Tx } from '../platform/db/index.js'
import type { JsonRow } from '../platform/db/json-row.js'

/** Whom messages of a portable file name. Nobody is told again. */
export async function insertPortableMentions(tx: Tx, mentions: readonly JsonRow<'mentions'>[]) {
  if (mentions.length === 0) return
  await sql`
    insert into mentions (message_id, chat_id, user_id, tag_id)
    select message_id, chat_id, user_id, tag_id
    from jsonb_populate_recordset(null::mentions, ${JSON.stringify(mentions)}::jsonb)`.execute(tx)
}
