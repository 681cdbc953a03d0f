import { type Selectable, sql } from 'kysely'
import type { DB, Db, Tx } from '../platform/db/index.js'
import { type Paging, pageOf } from '../platform/http/page.js'

export type QueuedRow = Selectable<DB['queued_events']>

/** The queue of a bot, newest first; nothing of it is shown while it is off. */
export function listQueued(db: Db, botId: number, paging: Paging): Promise<QueuedRow[]> {
  const isOn = sql<boolean>`(select events_history_enabled from bots where user_id = ${botId})`
  const queued = db.selectFrom('queued_events').selectAll().where(isOn)
  return pageOf(queued, paging, { of: ['bot_id', sql`${botId}::bigint`], id: sql`sequence` }).execute()
}

/** Undefined where the bot has no such entry. */
export function deleteQueuedRow(tx: Tx, botId: number, id: string) {
  return tx
    .deleteFrom('queued_events')
    .where('bot_id', '=', botId)
    .where('id', '=', id)
    .returning('id')
    .executeTakeFirst()
}
