import { sql } from 'kysely'
import type { Context } from '../platform/context.js'
import type { JobHandlers } from '../platform/jobs/run.js'
import { postInbound } from './inbound/post.js'
import { mailEditor } from './notify-editors.js'
import { redeliverPiece } from './redeliver.js'

const HOUR_MS = 3_600_000
const KEPT_MS = 30 * 24 * HOUR_MS
const AT_ONCE = 5_000

/** Deletes in pieces, so that no statement holds the table for long. */
async function inPieces(remove: () => Promise<number>) {
  while ((await remove()) === AT_ONCE);
}

/** The queue and the log are kept for 30 days; what still waits to be sent is kept until it is. */
async function forgetOld(ctx: Context) {
  const before = new Date(ctx.clock.now() - KEPT_MS)
  await inPieces(async () => {
    const { rows } = await sql`
      delete from queued_events where sequence in (
        select sequence from queued_events where created_at < ${before} limit ${AT_ONCE})
      returning sequence`.execute(ctx.autocommit)
    return rows.length
  })
  await inPieces(async () => {
    const { rows } = await sql`
      with old as (
        delete from deliveries where id in (
          select id from deliveries where created_at < ${before} and state <> 'pending' limit ${AT_ONCE})
        returning id
      ), attempts as (delete from delivery_attempts where delivery_id in (select id from old))
      select id from old`.execute(ctx.autocommit)
    return rows.length
  })
}

/** Everything that was kept for a bot that is gone. */
async function forgetBot(ctx: Context, { bot_id }: { bot_id: number }) {
  await inPieces(async () => {
    const { rows } = await sql`
      with gone as (
        delete from deliveries where id in (select id from deliveries where bot_id = ${bot_id} limit ${AT_ONCE})
        returning id
      ), attempts as (delete from delivery_attempts where delivery_id in (select id from gone))
      select id from gone`.execute(ctx.autocommit)
    return rows.length
  })
  await ctx.autocommit.deleteFrom('delivery_lanes').where('bot_id', '=', bot_id).execute()
  await ctx.autocommit.deleteFrom('queued_events').where('bot_id', '=', bot_id).execute()
  await ctx.autocommit.deleteFrom('inbound_posts').where('bot_id', '=', bot_id).execute()
}

export function webhookJobs(ctx: Context) {
  return {
    'webhooks.post_inbound': { run: ({ payload }) => postInbound(ctx, payload) },
    'webhooks.redeliver': { run: ({ payload }) => redeliverPiece(ctx, payload) },
    'webhooks.mail_editor': { run: ({ payload }) => mailEditor(ctx, payload) },
    'webhooks.forget_bot': { run: ({ payload }) => forgetBot(ctx, payload) },
    'webhooks.forget_old': { every_ms: HOUR_MS, run: () => forgetOld(ctx) },
  } satisfies Partial<JobHandlers>
}
