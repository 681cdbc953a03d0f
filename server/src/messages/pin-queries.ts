import { type Insertable, sql } from 'kysely'
import type { DB, Db, Tx } from '../platform/db/index.js'
import { type Paging, pageOf } from '../platform/http/page.js'

/** False where the message is pinned already. */
export async function insertPin(tx: Tx, pin: Insertable<DB['pins']>): Promise<boolean> {
  const pinned = await tx
    .insertInto('pins')
    .values(pin)
    .onConflict((conflict) => conflict.doNothing())
    .returning('message_id')
    .executeTakeFirst()
  return pinned !== undefined
}

/** False where the message is not pinned. */
export async function deletePin(tx: Tx, messageId: number): Promise<boolean> {
  const gone = await tx
    .deleteFrom('pins')
    .where('message_id', '=', messageId)
    .returning('message_id')
    .executeTakeFirst()
  return gone !== undefined
}

/** The pins of a chat, latest first. */
export function listPinRows(db: Db, chatId: number, paging: Paging) {
  const query = db.selectFrom('pins').select(['message_id', 'pinned_at']).where('chat_id', '=', chatId)
  return pageOf(query, paging, { id: sql`message_id`, value: sql`pinned_at`, cast: 'timestamptz' }).execute()
}
