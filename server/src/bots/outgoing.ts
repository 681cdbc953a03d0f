import { sql } from 'kysely'
import { type Actor, actingFor } from '../platform/actor.js'
import { present } from '../platform/clock.js'
import type { Context } from '../platform/context.js'
import type { Tx } from '../platform/db/index.js'
import { ringAfterCommit, transaction } from '../platform/db/transaction.js'
import { emit } from '../platform/events/emit.js'
import { loadEditable } from './load.js'

/** Everybody who may edit the bot: its creator, and admins or chat owners where its settings name them. */
async function listEditors(tx: Tx, botId: number): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select users.id from users, bots
    where bots.user_id = ${botId} and users.deleted_at is null and not users.suspended and not users.bot
      and (users.id = bots.creator_id
        or users.role in ('owner', 'admin') and 'admin' = any (bots.can_edit)
        or 'chat_owners' = any (bots.can_edit) and exists (
          select from chat_members bot
          join chats on chats.id = bot.chat_id and chats.kind in ('conversation', 'channel')
          join chat_members owner on owner.chat_id = bot.chat_id and owner.user_id = users.id
            and owner.role in ('owner', 'admin')
          where bot.user_id = ${botId}))
    order by users.id`.execute(tx)
  return rows.map(({ id }) => id)
}

async function tellEditors(tx: Tx, ctx: Context, botId: number, kind: string) {
  const bot = actingFor(botId, 'bot', 'corporation')
  for (const user_id of await listEditors(tx, botId)) {
    await emit(tx, ctx, bot, { type: 'notice.created', payload: { user_id, kind, bot_id: botId } })
  }
}

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
  ringAfterCommit(tx, 'relayed')
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
