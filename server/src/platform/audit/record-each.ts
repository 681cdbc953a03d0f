import type { Actor } from '../actor.js'
import type { Clock } from '../clock.js'
import { now } from '../clock.js'
import type { Tx } from '../db/index.js'
import { ringAfterCommit } from '../db/transaction.js'
import { insertRecordForEach } from './queries.js'
import type { AuditRecord } from './record.js'

/** The same record for each of many people, who are named as its actors, in one statement however many they are. */
export async function recordEach(
  tx: Tx,
  ctx: { clock: Clock },
  actor: Actor,
  actorIds: readonly number[],
  entry: Omit<AuditRecord, 'actor_id'>,
) {
  if (actor.plan !== 'corporation' || actorIds.length === 0) return
  await insertRecordForEach(tx, actorIds, {
    created_at: now(ctx.clock),
    event_key: entry.event_key,
    entity_type: entry.entity_type,
    entity_id: String(entry.entity_id),
    details: JSON.stringify(entry.details ?? {}),
    ip_address: actor.ip_address,
    user_agent: actor.user_agent,
  })
  ringAfterCommit(tx, 'events')
}
