import { recordHealth } from '../bots/health-queries.js'
import { now } from '../platform/clock.js'
import type { Context } from '../platform/context.js'
import { microBatch } from '../platform/db/batch.js'
import { ANSWER_WAIT_MS, attempt } from './attempt.js'
import type { ClaimedLane } from './claim-queries.js'
import { healthOf, holdsUp, judge } from './judge.js'
import type { Lease } from './lease.js'
import { disableUrl, pauseUrl } from './outgoing.js'
import { type Release, type Settlement, settleAll } from './settle-queries.js'

/** A lane gives way to others after this long, so that what it did is also written down soon. */
const TURN_MS = 500
const SETTLE_AGAIN_MS = 200
/** An attempt is not begun unless it can end within the lease. */
const ATTEMPT_MS = ANSWER_WAIT_MS + 300

interface Sending {
  ctx: Context
  lease: Lease
  isStopping: () => boolean
  onError: (error: unknown) => void
}

/** Sends one delivery after the other, until one must wait, the turn is over, or the lease may end. */
async function sendDeliveries({ ctx, lease, isStopping }: Sending, lane: ClaimedLane): Promise<Settlement[]> {
  const { url, signing_secrets, worker_id } = lane
  const began = performance.now()
  const settlements: Settlement[] = []
  for (const delivery of lane.deliveries) {
    if (isStopping() || performance.now() - began > TURN_MS || !lease.covers(worker_id, ATTEMPT_MS)) break
    const { id: delivery_id, attempts: number, event_id, payload, late } = delivery
    if (url === '') {
      const untried = { next_attempt_at: null, tried: null, steps_aside: false }
      settlements.push({ delivery_id, number, state: 'cancelled', ...untried })
      continue
    }
    const outcome = await attempt(ctx, { event_id, payload, url, signing_secrets, number: number + 1, late })
    const settlement = judge(delivery, outcome, ctx.clock.now())
    settlements.push(settlement)
    if (holdsUp(settlement) || outcome.status === 410) break
  }
  return settlements
}

/** What was sent must be written down: while the database is away, the sender waits for it. */
function createSettling({ ctx, isStopping, onError }: Sending) {
  const settle = microBatch<Release, undefined>(
    async (releases) => {
      await settleAll(ctx.autocommit_pool, releases, now(ctx.clock))
      return releases.map(() => undefined)
    },
    { max: 256, inFlight: 2 },
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

/** Makes the function that sends what was claimed of a lane, settles it, and records the health of the bot's address. */
export function createLaneSender(sending: Sending) {
  const { ctx } = sending
  const settle = createSettling(sending)
  return async (lane: ClaimedLane): Promise<void> => {
    const { bot_id, chat_id, version, worker_id } = lane
    const settlements = await sendDeliveries(sending, lane)
    const last = settlements.at(-1)
    const complete = settlements.length === lane.deliveries.length && !lane.more
    const after_last = complete ? null : now(ctx.clock)
    const due_at = last && holdsUp(last) ? last.next_attempt_at : after_last
    await settle({ bot_id, chat_id, version, worker_id, due_at, settlements })
    if (last?.tried?.status === 410) await disableUrl(ctx, bot_id, lane.url)
    const health = healthOf(lane, settlements)
    if (!health) return
    for (const botId of await recordHealth(ctx.autocommit_pool, [health], now(ctx.clock)))
      await pauseUrl(ctx, botId)
  }
}
