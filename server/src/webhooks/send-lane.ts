import { now } from '../platform/clock.js'
import type { Context } from '../platform/context.js'
import { microBatch } from '../platform/db/batch.js'
import { ANSWER_WAIT_MS, attempt, type Sendable, unsent } from './attempt.js'
import type { ClaimedDelivery, ClaimedLane } from './claim-queries.js'
import { recordAddressHealth } from './health.js'
import { healthOf, holdsUp, judge } from './judge.js'
import { type OpenedKeys, openKeys } from './keys.js'
import type { Lease } from './lease.js'
import { disableAddress, pauseAddress } from './outgoing.js'
import { type Release, type Settlement, settleAll } from './settle-queries.js'

/** A lane gives way to others after this long, so that what it did is also written down soon. */
const TURN_MS = 500
const SETTLE_AGAIN_MS = 200
/** An attempt is not begun unless it can end within the lease. */
const ATTEMPT_MS = ANSWER_WAIT_MS + 300
export const UNREADABLE = 'unsigned: the key was encrypted with another secret of the server: rotate it'

interface Sending {
  ctx: Context
  lease: Lease
  isStopping: () => boolean
  onError: (error: unknown) => void
}

const cancelled = ({ id: delivery_id, attempts: number }: ClaimedDelivery): Settlement => ({
  delivery_id,
  number,
  state: 'cancelled',
  next_attempt_at: null,
  tried: null,
  steps_aside: false,
})

/** Always with the same properties in the same order: objects of one shape are what the engine is fast with. */
const sendableOf = (
  { event_id, payload, attempts, late, original_at }: ClaimedDelivery,
  { url, replay_id }: ClaimedLane,
  { signing_secrets, headers }: OpenedKeys,
): Sendable => ({
  event_id,
  payload,
  url,
  signing_secrets,
  number: attempts + 1,
  late,
  replay: original_at ? { id: replay_id, original_at } : undefined,
  headers,
})

/** Sends one delivery after the other, until one must wait, the turn is over, or the lease may end. */
async function sendDeliveries({ ctx, lease, isStopping }: Sending, lane: ClaimedLane): Promise<Settlement[]> {
  const { url, bot_id, worker_id } = lane
  const keys = openKeys(ctx.secret, bot_id, lane)
  const began = performance.now()
  const settlements: Settlement[] = []
  for (const delivery of lane.deliveries) {
    if (isStopping() || performance.now() - began > TURN_MS || !lease.covers(worker_id, ATTEMPT_MS)) break
    if (url === '') {
      settlements.push(cancelled(delivery))
      continue
    }
    const outcome = keys ? await attempt(ctx, sendableOf(delivery, lane, keys)) : unsent(ctx, UNREADABLE)
    const settlement = judge(delivery, outcome, ctx.clock.now())
    settlements.push(settlement)
    if (holdsUp(settlement) || outcome.status === 410) break
  }
  return settlements
}

/** Where the lane goes on: with what holds it up, what was not tried, or after everything. */
function nextOf({ deliveries }: ClaimedLane, settlements: readonly Settlement[]): number | null {
  const last = settlements.at(-1)
  if (last && holdsUp(last)) return last.delivery_id
  const untried = deliveries[settlements.length]
  if (untried) return untried.id
  return last ? last.delivery_id + 1 : null
}

/** What was sent must be written down: while the database is away, the sender waits for it. */
function createSettling({ ctx, isStopping, onError }: Sending) {
  const settle = microBatch<Release, undefined>(
    async (releases) => {
      await settleAll(ctx.hot_pool, releases, now(ctx.clock))
      return releases.map(() => undefined)
    },
    { max: 256 },
  )
  return async (release: Release) => {
    for (;;) {
      try {
        return await settle(release)
      } catch (error) {
        onError(error)
        if (isStopping()) return
        await new Promise((resolve) => setTimeout(resolve, SETTLE_AGAIN_MS))
      }
    }
  }
}

/**
 * Makes the function that sends what was claimed of a lane, settles it, and records the health of the address. Where all went well
 * it says so before it settles: others may be sent meanwhile. After a failure they wait until the address is known to have failed.
 */
export function createLaneSender(sending: Sending) {
  const { ctx } = sending
  const settle = createSettling(sending)
  return async (lane: ClaimedLane, onSent: () => void): Promise<void> => {
    const { bot_id, endpoint_id, replay_id, chat_id, version, worker_id } = lane
    const settlements = await sendDeliveries(sending, lane)
    if (settlements.every(({ state }) => state === 'delivered')) onSent()
    const last = settlements.at(-1)
    const complete = settlements.length === lane.deliveries.length && !lane.more
    const after_last = complete ? null : now(ctx.clock)
    const due_at = last && holdsUp(last) ? last.next_attempt_at : after_last
    const next_id = nextOf(lane, settlements)
    await settle({
      bot_id,
      endpoint_id,
      replay_id,
      chat_id,
      version,
      worker_id,
      due_at,
      next_id,
      settlements,
    })
    if (last?.tried?.status === 410) await disableAddress(ctx, lane, lane.url)
    const health = healthOf(lane, settlements)
    if (health && (await recordAddressHealth(ctx, lane, health))) await pauseAddress(ctx, lane)
  }
}
