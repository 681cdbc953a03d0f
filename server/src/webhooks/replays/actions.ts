import { type Replay, type ReplayPlan, type ReplayRequest, replayJob } from '@parley/contract'
import { lockBot } from '../../bots/queries.js'
import type { Actor } from '../../platform/actor.js'
import { now } from '../../platform/clock.js'
import type { Context } from '../../platform/context.js'
import type { Db, Tx } from '../../platform/db/index.js'
import { transaction } from '../../platform/db/transaction.js'
import { TIME } from '../../platform/http/fault-text.js'
import { enqueue } from '../../platform/jobs/enqueue.js'
import { found, Problem } from '../../platform/problem.js'
import { DAY_MS, parseTime } from '../../platform/time.js'
import { loadBot, type Whose } from '../endpoints/load.js'
import {
  cancelDeliveriesOf,
  findReplayRow,
  findRunning,
  insertReplay,
  lockReplay,
  type ReplayRow,
  updateEnded,
} from './queries.js'
import { findStart, findTarget, type ReplayTarget } from './source-queries.js'
import { type Criteria, type Replayed, walkEvents } from './walk.js'

/** Events are kept for a week. */
const REACH_MS = 7 * DAY_MS
const AT_ONCE = 500

export function presentReplay(row: ReplayRow): Replay {
  return {
    id: row.id,
    state: row.state as Replay['state'],
    from: row.from_at.toISOString(),
    to: row.to_at.toISOString(),
    events: row.events as Replay['events'],
    chat_ids: row.chat_ids,
    only: row.only_ as Replay['only'],
    to_endpoint: row.endpoint_name,
    total: row.total,
    done: row.done,
    failed: row.failed,
    position: row.position,
    created_at: row.created_at.toISOString(),
    finished_at: row.finished_at?.toISOString() ?? null,
  }
}

function readTime(key: 'from' | 'to', value: string | undefined, absent: Date): Date {
  if (value === undefined) return absent
  const time = parseTime(value)
  if (!time) throw new Problem(422, 'invalid', { key, value, message: TIME })
  return time
}

function readCriteria(ctx: Context, input: ReplayRequest): Criteria {
  const at = now(ctx.clock)
  const to = readTime('to', input.to, at)
  const from = readTime('from', input.from, at)
  const fault = (key: 'from' | 'to', message: string) =>
    new Problem(422, 'invalid_date_range', { key, value: input[key], message })
  if (to < from) throw fault('to', 'must not lie before from')
  if (from.getTime() < at.getTime() - REACH_MS) throw fault('from', 'must lie within the last 7 days')
  return {
    from,
    to,
    events: input.events ?? null,
    chat_ids: input.chat_ids ?? null,
    only: input.only ?? 'all',
  }
}

async function readTarget(db: Db, botId: number, input: ReplayRequest): Promise<ReplayTarget> {
  const { to_endpoint = 'default', only } = input
  const about = { key: 'to_endpoint', value: to_endpoint }
  const target = await findTarget(db, botId, to_endpoint)
  if (!target)
    throw new Problem(422, 'not_found', { ...about, message: 'the bot has no endpoint of this name' })
  if (!target.open)
    throw new Problem(422, 'not_applicable', { ...about, message: 'nothing is sent there: turn it on first' })
  if (target.endpoint_id === null && (only ?? 'all') !== 'all')
    throw new Problem(422, 'inclusion', {
      key: 'only',
      value: only,
      message: 'the queue has no log of what was taken from it: only all is possible',
    })
  return target
}

interface Plan {
  target: ReplayTarget
  criteria: Criteria
  start: number
  count: ReplayPlan
}

async function plan(db: Db, ctx: Context, botId: number, input: ReplayRequest): Promise<Plan> {
  const criteria = readCriteria(ctx, input)
  const target = await readTarget(db, botId, input)
  const start = await findStart(db, criteria.from)
  const count: ReplayPlan = { total: 0, by_event: {} }
  const add = ({ botEvent: { event_type } }: Replayed) => {
    count.total += 1
    count.by_event[event_type] = (count.by_event[event_type] ?? 0) + 1
  }
  for (let after = start, ended = false; !ended; ) {
    const piece = await walkEvents(db, ctx, target, criteria, { after, limit: AT_ONCE })
    for (const one of piece.found) add(one)
    after = piece.position
    ended = piece.ended
  }
  return { target, criteria, start, count }
}

export async function planReplay(ctx: Context, actor: Actor, whose: Whose, input: ReplayRequest) {
  await loadBot(ctx.db, actor, whose, 'replay')
  return (await plan(ctx.db, ctx, whose.bot_id, input)).count
}

async function ensureNoneRuns(tx: Tx, botId: number) {
  const running = await findRunning(tx, botId)
  if (running)
    throw new Problem(422, 'already_exists', {
      key: 'base',
      value: running.id,
      message: 'a replay of the bot is running: wait for its end, or cancel it',
    })
}

/** Begins to send what happened in a period. */
export async function createReplay(
  ctx: Context,
  actor: Actor,
  whose: Whose,
  input: ReplayRequest,
): Promise<Replay> {
  const { bot_id } = whose
  await loadBot(ctx.db, actor, whose, 'replay')
  const { target, criteria, start, count } = await plan(ctx.db, ctx, bot_id, input)
  return transaction(ctx, async (tx) => {
    found(await lockBot(tx, bot_id), { key: 'id', value: bot_id })
    await loadBot(tx, actor, whose, 'replay')
    await ensureNoneRuns(tx, bot_id)
    const created_at = now(ctx.clock)
    const { from, to, events, chat_ids, only } = criteria
    const replay_id = await insertReplay(tx, {
      bot_id,
      endpoint_id: target.endpoint_id,
      endpoint_name: target.endpoint_name,
      from_at: from,
      to_at: to,
      events,
      chat_ids,
      only_: only,
      total: count.total,
      position: start,
      next_at: created_at,
      created_at,
    })
    await enqueue(tx, ctx, replayJob, { replay_id })
    return presentReplay(await loadReplay(tx, bot_id, replay_id))
  })
}

export async function loadReplay(db: Db, botId: number, replay_id: number): Promise<ReplayRow> {
  return found(await findReplayRow(db, botId, replay_id), { key: 'replay_id', value: replay_id })
}

/** Ends a replay; what it has not sent yet is cancelled. */
export function cancelReplay(ctx: Context, actor: Actor, whose: Whose, replayId: number) {
  return transaction(ctx, async (tx) => {
    await loadBot(tx, actor, whose, 'replay')
    await loadReplay(tx, whose.bot_id, replayId)
    const replay = await lockReplay(tx, replayId)
    if (replay?.state !== 'running') return
    await cancelDeliveriesOf(tx, replay)
    await updateEnded(tx, replayId, 'cancelled', now(ctx.clock))
  })
}
