import { type BodyOf, type JobPayload, redeliverJob, type redeliverRange } from '@parley/contract'
import { loadEditable } from '../bots/load.js'
import type { Actor } from '../platform/actor.js'
import { now } from '../platform/clock.js'
import type { Context } from '../platform/context.js'
import type { Tx } from '../platform/db/index.js'
import { ringAfterCommit, transaction } from '../platform/db/transaction.js'
import { TIME } from '../platform/http/fault-text.js'
import { enqueue } from '../platform/jobs/enqueue.js'
import { found, Problem } from '../platform/problem.js'
import { parseTime } from '../platform/time.js'
import { findDeliveryOf, isSending, listInRange, putBackDeliveries } from './redeliver-queries.js'

const AT_ONCE = 2_000

type RedeliverRange = JobPayload<typeof redeliverJob>

async function ensureSends(tx: Tx, botId: number, endpointId?: number) {
  if (!(await isSending(tx, botId, endpointId)))
    throw new Problem(422, 'not_applicable', {
      key: 'outgoing_url',
      value: '',
      message: 'the bot has no outgoing address: set one first',
    })
}

async function putBack(tx: Tx, ctx: Context, botId: number, ids: readonly number[]) {
  await putBackDeliveries(tx, botId, ids, now(ctx.clock))
  ringAfterCommit(tx, 'deliveries')
}

/** Sends one delivery again, whether it failed or succeeded; one that waits for a retry is sent at once. */
export function redeliverOne(ctx: Context, actor: Actor, ids: { id: number; delivery_id: number }) {
  return transaction(ctx, async (tx) => {
    const bot = await loadEditable(tx, actor, ids.id, 'redeliver')
    const delivery = await findDeliveryOf(tx, bot.row.user_id, ids.delivery_id)
    const { endpoint_id } = found(delivery, { key: 'delivery_id', value: ids.delivery_id })
    await ensureSends(tx, ids.id, endpoint_id)
    await putBack(tx, ctx, ids.id, [ids.delivery_id])
  })
}

/** Sends again what was made in a time range; it may be much, so a job does it piece by piece. */
export function redeliverMany(
  ctx: Context,
  actor: Actor,
  botId: number,
  body: BodyOf<typeof redeliverRange>,
) {
  const readTime = (key: 'created_from' | 'created_to') => {
    const time = parseTime(body[key])
    if (!time) throw new Problem(422, 'invalid', { key, value: body[key], message: TIME })
    return time
  }
  return transaction(ctx, async (tx) => {
    await loadEditable(tx, actor, botId, 'redeliver')
    await ensureSends(tx, botId)
    const from = readTime('created_from')
    const to = readTime('created_to')
    if (to < from)
      throw new Problem(422, 'invalid_date_range', {
        key: 'created_to',
        value: body.created_to,
        message: 'must not lie before created_from',
      })
    const states = body.state ? [body.state] : ['failed', 'cancelled']
    const range = { bot_id: botId, from: from.toISOString(), to: to.toISOString(), states, after: 0 }
    await enqueue(tx, ctx, redeliverJob, range)
  })
}

/** One piece of a range; the next one is another job, so that a crash repeats little. */
export function redeliverPiece(ctx: Context, range: RedeliverRange): Promise<void> {
  return transaction(ctx, async (tx) => {
    const ids = await listInRange(tx, range, AT_ONCE)
    const last = ids.at(-1)
    if (last === undefined) return
    await putBack(tx, ctx, range.bot_id, ids)
    if (ids.length < AT_ONCE) return
    await enqueue(tx, ctx, redeliverJob, { ...range, after: last })
  })
}
