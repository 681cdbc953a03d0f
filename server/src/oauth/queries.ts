import type { Db } from '../platform/db/index.js'

export function findToken(db: Db, tokenId: number) {
  return db.selectFrom('tokens').selectAll().where('id', '=', tokenId).executeTakeFirst()
}
