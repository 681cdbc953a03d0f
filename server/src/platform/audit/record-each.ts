import { sql } from 'kysely'
import type { Actor } from '../actor.js'
import type { Clock } from '../clock.js'
import { now } from '../clock.js'
import type { Tx } from '../db/index.js'
import { ringAfterCommit } from '../db/transaction.js'
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
  await sql`
    insert into audit_events
      (id, created_at, event_key, actor_id, entity_type, entity_id, details, ip_address, user_agent)
    select audit_id(${now(ctx.clock)}::timestamptz), ${now(ctx.clock)}, ${entry.event_key}, actor_id, ${entry.entity_type},
      ${String(entry.entity_id)}, ${JSON.stringify(entry.details ?? {})}::jsonb, ${actor.ip_address}, ${actor.user_agent}
    from unnest(${actorIds}::bigint[]) as actor_id`.execute(tx)
  ringAfterCommit(tx, 'events')
}
