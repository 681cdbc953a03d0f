import type { WebhookEvent } from '@parley/contract'
import { type Selectable, sql } from 'kysely'
import type { Actor } from '../platform/actor.js'
import type { Context } from '../platform/context.js'
import type { DB, Db } from '../platform/db/index.js'
import { transaction } from '../platform/db/transaction.js'
import { type Paging, pageOf } from '../platform/http/page.js'
import { found } from '../platform/problem.js'

type QueuedRow = Selectable<DB['queued_events']>

/** The queue of a bot, newest first; nothing of it is shown while it is off. */
export function listQueued(db: Db, botId: number, paging: Paging): Promise<QueuedRow[]> {
  const queued = db
    .selectFrom('queued_events')
    .innerJoin('bots', 'bots.user_id', 'queued_events.bot_id')
    .selectAll('queued_events')
    .where('queued_events.bot_id', '=', botId)
    .where('bots.events_history_enabled', '=', true)
  return pageOf(queued, paging, { id: sql`queued_events.sequence` }).execute()
}

export function presentQueued(row: QueuedRow): WebhookEvent {
  return {
    id: row.id,
    event_type: row.event_type as WebhookEvent['event_type'],
    payload: JSON.parse(row.payload),
    created_at: row.created_at.toISOString(),
  }
}

export function deleteQueued(ctx: Context, actor: Actor, id: string): Promise<void> {
  return transaction(ctx, async (tx) => {
    const gone = await tx
      .deleteFrom('queued_events')
      .where('bot_id', '=', actor.user_id)
      .where('id', '=', id)
      .returning('id')
      .executeTakeFirst()
    found(gone, { key: 'id', value: id })
  })
}
