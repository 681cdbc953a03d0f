import { type BodyOf, type JobPayload, redeliverJob, type redeliverRange } from '@parley/contract'
import { sql } from 'kysely'
import { type LoadedBot, loadEditable } from '../bots/load.js'
import type { Actor } from '../platform/actor.js'
import { now } from '../platform/clock.js'
import type { Context } from '../platform/context.js'
import type { Tx } from '../platform/db/index.js'
import { ringAfterCommit, transaction } from '../platform/db/transaction.js'
import { enqueue } from '../platform/jobs/enqueue.js'
import { found, Problem } from '../platform/problem.js'
import { parseTime } from '../platform/time.js'

const AT_ONCE = 2_000

type RedeliverRange = JobPayload<typeof redeliverJob>

async function loadSending(tx: Tx, actor: Actor, botId: number): Promise<LoadedBot> {
  const bot = await loadEditable(tx, actor, botId, 'redeliver')
  if (bot.row.outgoing_url === '')
    throw new Problem(422, 'not_applicable', { key: 'outgoing_url', value: '' })
  return bot
}

/** Puts deliveries back into their lanes, which are due at once; in order, before whatever came later; what is retried alone stays so. */
async function putBack(tx: Tx, ctx: Context, botId: number, ids: readonly number[]) {
  const at = now(ctx.clock)
  await sql`
    with again as (
      update deliveries set state = 'pending', next_attempt_at = null, attempts_before = attempts
      where bot_id = ${botId} and id = any (${ids}) and held_until is null
      returning bot_id, case when alone then -id else chat_id end as chat_id
    )
    insert into delivery_lanes (bot_id, chat_id, due_at)
    select distinct bot_id, chat_id, ${at}::timestamptz from again order by 1, 2
    on conflict (bot_id, chat_id) do update set version = delivery_lanes.version + 1,
      due_at = least(delivery_lanes.due_at, excluded.due_at)`.execute(tx)
  ringAfterCommit(tx, 'deliveries')
}

/** Sends one delivery again, whatever became of it; of one that is under way, the wait ends. */
export function redeliverOne(ctx: Context, actor: Actor, ids: { id: number; delivery_id: number }) {
  return transaction(ctx, async (tx) => {
    const bot = await loadEditable(tx, actor, ids.id, 'redeliver')
    const delivery = await tx
      .selectFrom('deliveries')
      .select('id')
      .where('id', '=', ids.delivery_id)
      .where('bot_id', '=', bot.row.user_id)
      .executeTakeFirst()
    found(delivery, { key: 'delivery_id', value: ids.delivery_id })
    await loadSending(tx, actor, ids.id)
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
    if (!time) throw new Problem(422, 'invalid', { key, value: body[key] })
    return time
  }
  return transaction(ctx, async (tx) => {
    await loadSending(tx, actor, botId)
    const from = readTime('created_from')
    const to = readTime('created_to')
    if (to < from) throw new Problem(422, 'invalid_date_range', { key: 'created_to', value: body.created_to })
    const states = body.state ? [body.state] : ['failed', 'cancelled']
    const range = { bot_id: botId, from: from.toISOString(), to: to.toISOString(), states, after: 0 }
    await enqueue(tx, ctx, redeliverJob, range)
  })
}

/** One piece of a range; the next one is another job, so that a crash repeats little. */
export function redeliverPiece(ctx: Context, range: RedeliverRange): Promise<void> {
  return transaction(ctx, async (tx) => {
    const { rows } = await sql<{ id: number }>`
      select id from deliveries
      where bot_id = ${range.bot_id} and created_at >= ${range.from}::timestamptz
        and created_at <= ${range.to}::timestamptz and state = any (${range.states}) and id > ${range.after}
      order by id limit ${AT_ONCE}`.execute(tx)
    const ids = rows.map(({ id }) => id)
    const last = ids.at(-1)
    if (last === undefined) return
    await putBack(tx, ctx, range.bot_id, ids)
    if (ids.length < AT_ONCE) return
    await enqueue(tx, ctx, redeliverJob, { ...range, after: last })
  })
}
