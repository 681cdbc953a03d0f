import { type Insertable, sql } from 'kysely'
import type { DB, Tx } from '../../platform/db/index.js'

/** Endpoints of a portable file. Those whose name the bot has already are left as they are; gives how many are new. */
export async function insertPortableEndpoints(tx: Tx, rows: Insertable<DB['endpoints']>[]): Promise<number> {
  if (rows.length === 0) return 0
  const made = await tx
    .insertInto('endpoints')
    .values(rows)
    .onConflict((conflict) => conflict.expression(sql`bot_id, lower(name)`).doNothing())
    .returning('id')
    .execute()
  return made.length
}
