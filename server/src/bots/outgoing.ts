import { sql } from 'kysely'
import type { Actor } from '../platform/actor.js'
import { present } from '../platform/clock.js'
import type { Context } from '../platform/context.js'
import type { Tx } from '../platform/db/index.js'
import { ringAfterCommit, transaction } from '../platform/db/transaction.js'
import { loadEditable } from './load.js'
import { tellEditors } from './tell-editors.js'

/** Sends what waits at once, and counts failures anew. */
export function resumeUrl(ctx: Context, actor: Actor, botId: number) {
  return transaction(ctx, async (tx) => {
    await loadEditable(tx, actor, botId, 'resume')
    await resumeLanes(tx, ctx, botId)
  })
}

/** Stops sending to an address that fails and fails; what is waiting for it is kept. */
export function pauseUrl(ctx: Context, botId: number) {
  return transaction(ctx, async (tx) => {
    const paused = await tx
      .updateTable('bots')
      .set({ paused_at: present(ctx.clock) })
      .where('user_id', '=', botId)
      .where('paused_at', 'is', null)
      .where('outgoing_url', '<>', '')
      .returning('user_id')
      .executeTakeFirst()
    if (!paused) return
    await sql`update delivery_lanes set due_at = 'infinity' where bot_id = ${botId} and worker_id is null`.execute(
      tx,
    )
    await tellEditors(tx, ctx, botId, 'webhook_paused')
  })
}

/** Sends on what waited, in order: after a pause, or to a new address. */
export async function resumeLanes(tx: Tx, ctx: Context, botId: number) {
  const now = present(ctx.clock)
  await tx
    .updateTable('bots')
    .set({ paused_at: null, failures: 0, failing_since: null })
    .where('user_id', '=', botId)
    .execute()
  await sql`update deliveries set next_attempt_at = null
    where bot_id = ${botId} and state = 'pending' and held_until is null and next_attempt_at is not null`.execute(
    tx,
  )
  await sql`update delivery_lanes set due_at = ${now}, version = version + 1 where bot_id = ${botId}`.execute(
    tx,
  )
  ringAfterCommit(tx, 'deliveries')
}

/** Drops what waits for a bot that has no address any more. */
export async function cancelWaiting(tx: Tx, botId: number) {
  await sql`update deliveries set state = 'cancelled', next_attempt_at = null
    where bot_id = ${botId} and state = 'pending' and held_until is null`.execute(tx)
  await sql`delete from delivery_lanes where bot_id = ${botId}`.execute(tx)
}

/** The receiver said that the address is gone for good: it is taken away, unless it was changed meanwhile. */
export function disableUrl(ctx: Context, botId: number, url: string) {
  return transaction(ctx, async (tx) => {
    const disabled = await tx
      .updateTable('bots')
      .set((eb) => ({ outgoing_url: '', version: eb('version', '+', 1) }))
      .where('user_id', '=', botId)
      .where('outgoing_url', '=', url)
      .returning('user_id')
      .executeTakeFirst()
    if (!disabled) return
    await cancelWaiting(tx, botId)
    await tellEditors(tx, ctx, botId, 'webhook_disabled')
  })
}
