import type { Context } from '../platform/context.js'
import type { JobHandlers } from '../platform/jobs/run.js'
import { DAY_MS, HOUR_MS } from '../platform/time.js'
import { postInbound } from './inbound/post.js'
import { mailEditor } from './notify-editors.js'
import { redeliverPiece } from './redeliver.js'
import { feedReplay } from './replays/feed.js'
import { deleteDeliveriesOf, deleteOldDeliveries, deleteOldQueued, deleteWaitingOf } from './sweep-queries.js'

const KEPT_MS = 30 * DAY_MS
const AT_ONCE = 5_000

/** Deletes in pieces, so that no statement holds the table for long. */
async function inPieces(remove: () => Promise<number>) {
  while ((await remove()) === AT_ONCE);
}

/** The queue and the log are kept for 30 days; what still waits to be sent is kept until it is. */
async function forgetOld({ autocommit, clock }: Context) {
  const before = new Date(clock.now() - KEPT_MS)
  await inPieces(() => deleteOldQueued(autocommit, before, AT_ONCE))
  await inPieces(() => deleteOldDeliveries(autocommit, before, AT_ONCE))
}

/** Everything that was kept for a bot that is gone. */
async function forgetBot({ autocommit }: Context, { bot_id }: { bot_id: number }) {
  await inPieces(() => deleteDeliveriesOf(autocommit, bot_id, AT_ONCE))
  await deleteWaitingOf(autocommit, bot_id)
}

export function webhookJobs(ctx: Context) {
  return {
    'webhooks.post_inbound': { run: ({ payload }) => postInbound(ctx, payload) },
    'webhooks.redeliver': { run: ({ payload }) => redeliverPiece(ctx, payload) },
    'webhooks.replay': { run: ({ payload }) => feedReplay(ctx, payload) },
    'webhooks.mail_editor': { run: ({ payload }) => mailEditor(ctx, payload) },
    'webhooks.forget_bot': { run: ({ payload }) => forgetBot(ctx, payload) },
    'webhooks.forget_old': { every_ms: HOUR_MS, run: () => forgetOld(ctx) },
  } satisfies Partial<JobHandlers>
}
