import type { Db, Tx } from '../platform/db/index.js'

export function findToken(db: Db, tokenId: number) {
  return db.selectFrom('tokens').selectAll().where('id', '=', tokenId).executeTakeFirst()
}

export async function dropTokens(tx: Tx, userId: number) {
  await tx.deleteFrom('tokens').where('user_id', '=', userId).execute()
}
