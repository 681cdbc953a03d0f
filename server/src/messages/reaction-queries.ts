import type { Insertable, Selectable } from 'kysely'
import type { DB, Tx } from '../platform/db/index.js'

export function insertReaction(
  tx: Tx,
  reaction: Insertable<DB['reactions']>,
): Promise<Selectable<DB['reactions']>> {
  return tx.insertInto('reactions').values(reaction).returningAll().executeTakeFirstOrThrow()
}

export function deleteReaction(tx: Tx, id: number) {
  return tx.deleteFrom('reactions').where('id', '=', id).execute()
}
