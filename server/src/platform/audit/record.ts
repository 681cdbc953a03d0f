import type { Actor } from '../actor.js'
import type { Clock } from '../clock.js'
import { now } from '../clock.js'
import type { Autocommit, Tx } from '../db/index.js'
import { ringAfterCommit } from '../db/transaction.js'
import { insertMessageRecord, insertRecords } from './queries.js'

export interface AuditRecord {
  event_key: string
  entity_type: string
  entity_id: number | string
  details?: object
  /** The recorded actor, if it is not the caller. */
  actor_id?: number
}

/** Only while the workspace is on the plan that has the log; says whether there was anything to write. */
async function insertAll(db: Autocommit, ctx: { clock: Clock }, actor: Actor, list: AuditRecord[]) {
  if (actor.plan !== 'corporation' || list.length === 0) return false
  const created_at = now(ctx.clock)
  const rows = list.map((entry) => ({
    created_at,
    event_key: entry.event_key,
    actor_id: entry.actor_id ?? actor.user_id,
    entity_type: entry.entity_type,
    entity_id: String(entry.entity_id),
    details: JSON.stringify(entry.details ?? {}),
    ip_address: actor.ip_address,
    user_agent: actor.user_agent,
  }))
  await insertRecords(db, rows)
  return true
}

/** Writes down what this transaction did, in it. */
export async function record(
  tx: Tx,
  ctx: { clock: Clock },
  actor: Actor,
  entries: AuditRecord | AuditRecord[],
) {
  if (await insertAll(tx, ctx, actor, [entries].flat())) ringAfterCommit(tx, 'events')
}

/** Writes down that this transaction sent a message. */
export async function recordMessage(tx: Tx, ctx: { clock: Clock }, actor: Actor, messageId: number) {
  if (actor.plan !== 'corporation') return
  const { user_id: actor_id, ip_address, user_agent } = actor
  await insertMessageRecord(tx, messageId, { created_at: now(ctx.clock), actor_id, ip_address, user_agent })
  ringAfterCommit(tx, 'events')
}

/**
 * Writes down what somebody did that changed nothing, so that there is no transaction to do it in. The sealer finds it within a second:
 * ringing would also wake the relay, for which there is nothing.
 */
export async function recordAlone(
  ctx: { clock: Clock; autocommit: Autocommit },
  actor: Actor,
  entry: AuditRecord,
) {
  await insertAll(ctx.autocommit, ctx, actor, [entry])
}
