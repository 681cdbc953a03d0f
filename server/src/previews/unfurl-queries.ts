import type { Db } from '../platform/db/index.js'

export function findUnfurler(db: Db, botId: number) {
  return db
    .selectFrom('bots')
    .select(['trigger_on', 'events', 'unfurl_domains'])
    .where('user_id', '=', botId)
    .executeTakeFirst()
}
