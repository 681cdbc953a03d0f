import type { WebhookEvent } from '@parley/contract'
import type { Actor } from '../platform/actor.js'
import type { Context } from '../platform/context.js'
import { transaction } from '../platform/db/transaction.js'
import { found } from '../platform/problem.js'
import { deleteQueuedRow, type QueuedRow } from './queue-queries.js'

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
    found(await deleteQueuedRow(tx, actor.user_id, id), { key: 'id', value: id })
  })
}
