import { type Insertable, sql } from 'kysely'
import type { DB, Tx } from '../platform/db/index.js'

export async function insertImportedBots(
  tx: Tx,
  bots: readonly Pick<Insertable<DB['bots']>, 'user_id' | 'creator_id' | 'signing_secret'>[],
) {
  if (bots.length > 0)
    await tx
      .insertInto('bots')
      .values([...bots])
      .execute()
}

/** Takes out the settings of bots that nobody has set up. */
export async function deleteImportedBots(tx: Tx, ids: readonly number[]) {
  await sql`
    delete from bots b where user_id = any(${ids}) and outgoing_url = ''
      and not exists (select from tokens t where t.user_id = b.user_id)
      and not exists (select from messages m where m.user_id = b.user_id)
      and not exists (select from chat_members m where m.user_id = b.user_id)`.execute(tx)
}
