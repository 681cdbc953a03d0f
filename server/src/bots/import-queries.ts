import type { Insertable } from 'kysely'
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
