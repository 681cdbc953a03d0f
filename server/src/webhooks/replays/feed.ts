import { type JobPayload, replayJob } from '@parley/contract'
import { now } from '../../platform/clock.js'
import type { Context } from '../../platform/context.js'
import type { Tx } from '../../platform/db/index.js'
import { ringAfterCommit, transaction } from '../../platform/db/transaction.js'
import { enqueue } from '../../platform/jobs/enqueue.js'
import { insertQueued } from '../queries.js'
import {
  cancelDeliveriesOf,
  insertReplayDeliveries,
  lockReplay,
  type ReplayDelivery,
  type ReplayRow,
  updateEnded,
  updateProgress,
} from './queries.js'
import { findTarget, type ReplayTarget } from './source-queries.js'
import { type Criteria, type Replayed, walkEvents } from './walk.js'

/** Events of a replay that are taken each second, so that the receiver is left time for what happens now. */
const EACH_SECOND = 50
const SECOND_MS = 1_000
/** More are not taken while this many wait for the receiver. */
const WAITING_MAX = 200
/** How often to look whether the last deliveries have ended. */
const ENDING_MS = 30_000

export function criteriaOf(row: ReplayRow): Criteria {
  const { from_at: from, to_at: to, events, chat_ids } = row
  return { from, to, events, chat_ids, only: row.only_ as Criteria['only'] }
}

function deliveryOf(target: ReplayTarget, one: Replayed, created_at: Date): ReplayDelivery {
  const { botEvent, payload, event_id, original_at } = one
  return {
    bot_id: target.id,
    endpoint_id: target.endpoint_id ?? 0,
    chat_id: botEvent.chat_id,
    event_id,
    event_type: botEvent.event_type,
    message_id: botEvent.message_id ?? null,
    position: botEvent.position,
    payload,
    created_at,
    original_at,
  }
}

/** Takes the next events; true where the replay goes on. */
async function takePiece(tx: Tx, ctx: Context, replay: ReplayRow, next_at: Date): Promise<boolean> {
  const target = await findTarget(tx, replay.bot_id, replay.endpoint_name)
  if (!target?.open) {
    await cancelDeliveriesOf(tx, replay)
    await updateEnded(tx, replay.id, 'cancelled', now(ctx.clock))
    return false
  }
  const room = replay.pending < WAITING_MAX
  const bounds = { after: replay.position, limit: EACH_SECOND }
  const piece = room
    ? await walkEvents(tx, ctx, target, criteriaOf(replay), bounds)
    : { found: [], position: replay.position, ended: false }
  const made = piece.found.map((one) => deliveryOf(target, one, now(ctx.clock)))
  if (made.length > 0 && target.endpoint_id === null) await insertQueued(tx, made)
  else if (made.length > 0) await insertReplayDeliveries(tx, replay.id, made)
  if (made.length > 0) ringAfterCommit(tx, 'deliveries')
  const { position, ended } = piece
  await updateProgress(tx, replay.id, { position, ended, taken: made.length, next_at })
  return true
}

/**
 * One step of a replay. Events that were taken and the place it has come to commit together, so that a crash neither repeats
 * nor skips any; a step that is repeated finds that it is not due.
 */
export function feedReplay(ctx: Context, { replay_id }: JobPayload<typeof replayJob>): Promise<void> {
  return transaction(ctx, async (tx) => {
    const replay = await lockReplay(tx, replay_id)
    const at = now(ctx.clock)
    if (replay?.state !== 'running' || replay.next_at > at) return
    if (replay.ended && replay.pending === 0) return updateEnded(tx, replay.id, 'finished', at)
    const next_at = new Date(at.getTime() + (replay.ended ? ENDING_MS : SECOND_MS))
    const { position, ended } = replay
    if (ended) await updateProgress(tx, replay.id, { position, ended, taken: 0, next_at })
    else if (!(await takePiece(tx, ctx, replay, next_at))) return
    await enqueue(tx, ctx, replayJob, { replay_id }, { run_at: next_at })
  })
}
