import { sql } from 'kysely'
import type { Actor } from '../actor.js'
import type { Clock } from '../clock.js'
import { present } from '../clock.js'
import type { Tx } from '../db/index.js'
import { ringAfterCommit } from '../db/transaction.js'

export interface AuditRecord {
  event_key: string
  entity_type: string
  entity_id: number | string
  details?: object
  /** Who is named as the actor, where it is not whoever asked. */
  actor_id?: number
}

/** Writes down what this transaction did, in it; only while the workspace is on the plan that has the log. */
export async function record(
  tx: Tx,
  ctx: { clock: Clock },
  actor: Actor,
  entries: AuditRecord | AuditRecord[],
) {
  const list = Array.isArray(entries) ? entries : [entries]
  if (actor.plan !== 'corporation' || list.length === 0) return
  const created_at = present(ctx.clock)
  await tx
    .insertInto('audit_events')
    .values(
      list.map((entry) => ({
        id: sql<string>`audit_id(${created_at})`,
        created_at,
        event_key: entry.event_key,
        actor_id: entry.actor_id ?? actor.user_id,
        entity_type: entry.entity_type,
        entity_id: String(entry.entity_id),
        details: JSON.stringify(entry.details ?? {}),
        ip_address: actor.ip_address,
        user_agent: actor.user_agent,
      })),
    )
    .execute()
  ringAfterCommit(tx, 'events')
}
