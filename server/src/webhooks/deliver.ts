import { type Health, recordHealth } from '../bots/health.js'
import { now } from '../platform/clock.js'
import type { Context } from '../platform/context.js'
import { microBatch } from '../platform/db/batch.js'
import type { Worker } from '../platform/worker.js'
import { ANSWER_WAIT_MS, attempt, type Outcome, succeeded } from './attempt.js'
import { type ClaimedDelivery, type ClaimedLane, capOf, claimLanes } from './claim.js'
import { createLease, freeAbandoned } from './lease.js'
import { disableUrl, pauseUrl } from './outgoing.js'
import { isDue } from './queries.js'
import { HOLDS_UP_ATTEMPTS, waitAfter } from './schedule.js'
import { recoverDirect } from './send-now.js'
import { type Release, type Settlement, settleAll } from './settle.js'

/** Lanes in flight at once; each holds one request. */
const LANES = 256
/** A lane gives way to others after this long, so that what it did is also written down soon. */
const TURN_MS = 500
const LOOK_EVERY_MS = 1_000
const LOOK_AFTER_MS = 3
const SETTLE_AGAIN_MS = 200
/** An attempt is not begun unless it can end within the lease. */
const ATTEMPT_MS = ANSWER_WAIT_MS + 300

const ONE_ATTEMPT = new Set(['button_click', 'view_submit'])

/** The state a delivery is in after an attempt, and when the next one is due. */
function judge(delivery: ClaimedDelivery, outcome: Outcome, now_ms: number): Settlement {
  const number = delivery.attempts + 1
  const { at, status, duration_ms, error } = outcome
  const tried = { at, status, duration_ms, error }
  const about = { delivery_id: delivery.id, number, tried, next_attempt_at: null, steps_aside: false }
  if (succeeded(outcome)) return { ...about, state: 'delivered' }
  const failed = number - delivery.attempts_before
  const wait_ms = waitAfter(failed, outcome.retry_after_ms)
  if (status === 410 || ONE_ATTEMPT.has(delivery.event_type) || wait_ms === undefined)
    return { ...about, state: 'failed' }
  // If the address does not answer at all, later deliveries would fail as well.
  const steps_aside = !delivery.alone && status !== null && failed >= HOLDS_UP_ATTEMPTS
  return { ...about, state: 'pending', next_attempt_at: new Date(now_ms + wait_ms), steps_aside }
}

/** Those behind it wait for its next attempt. */
function holdsUp({ state, steps_aside }: Settlement): boolean {
  return state === 'pending' && !steps_aside
}

/** Sends what waits in the lanes, each lane in order and all of them side by side. */
export function startDeliveries(ctx: Context): Worker {
  const { autocommit_pool: pool } = ctx
  const lease = createLease(pool)
  const flying = new Map<string, Promise<void>>()
  const bots = new Map<number, { lanes: number; cap: number }>()
  const origins = new Map<string, number>()
  let stopped = true
  let stopping = false
  let looking: Promise<number> | undefined
  let again = false
  /** Somebody said that there is something to send. */
  let rung = false
  let timer: NodeJS.Timeout | undefined
  let heart: NodeJS.Timeout | undefined
  let soon: NodeJS.Timeout | undefined
  let unhook: (() => void) | undefined

  const warn = (error: unknown) => ctx.log.warn({ err: error }, 'delivery worker failed; retrying')

  const settle = microBatch<Release, undefined>(
    async (releases) => {
      await settleAll(pool, releases, now(ctx.clock))
      return releases.map(() => undefined)
    },
    { max: 256, inFlight: 2 },
  )

  /** What was sent must be written down: while the database is away, the sender waits for it. */
  async function settleSurely(release: Release) {
    for (;;) {
      try {
        return await settle(release)
      } catch (error) {
        warn(error)
        if (stopping) return
        await new Promise((resolve) => setTimeout(resolve, SETTLE_AGAIN_MS))
      }
    }
  }

  function take(lane: ClaimedLane, change: 1 | -1) {
    const bot = bots.get(lane.bot_id) ?? { lanes: 0, cap: 0 }
    bot.lanes += change
    bot.cap = capOf(lane.failures)
    if (bot.lanes > 0) bots.set(lane.bot_id, bot)
    else bots.delete(lane.bot_id)
    const lanes = (origins.get(lane.origin) ?? 0) + change
    if (lanes > 0) origins.set(lane.origin, lanes)
    else origins.delete(lane.origin)
  }

  /** Sends one delivery after the other, until one must wait, the turn is over, or the lease may end. */
  async function sendLane(lane: ClaimedLane): Promise<Settlement[]> {
    const { url, signing_secrets, worker_id } = lane
    const began = performance.now()
    const settlements: Settlement[] = []
    for (const delivery of lane.deliveries) {
      if (stopping || performance.now() - began > TURN_MS || !lease.covers(worker_id, ATTEMPT_MS)) break
      const { id: delivery_id, attempts: number, event_id, payload, late } = delivery
      if (url === '') {
        const untried = { next_attempt_at: null, tried: null, steps_aside: false }
        settlements.push({ delivery_id, number, state: 'cancelled', ...untried })
        continue
      }
      const outcome = await attempt(ctx, {
        event_id,
        payload,
        url,
        signing_secrets,
        number: number + 1,
        late,
      })
      const settlement = judge(delivery, outcome, ctx.clock.now())
      settlements.push(settlement)
      if (holdsUp(settlement) || outcome.status === 410) break
    }
    return settlements
  }

  function healthOf(lane: ClaimedLane, settlements: readonly Settlement[]): Health | undefined {
    const tried = settlements.filter((one) => one.tried !== null)
    const success = tried.findLastIndex((one) => one.state === 'delivered')
    const failures = tried.length - 1 - success
    if (failures === 0 && lane.failures === 0) return undefined
    return tried.length === 0 ? undefined : { bot_id: lane.bot_id, failures, succeeded: success >= 0 }
  }

  async function work(lane: ClaimedLane) {
    const { bot_id, chat_id, version, worker_id } = lane
    const settlements = await sendLane(lane)
    const last = settlements.at(-1)
    const complete = settlements.length === lane.deliveries.length && !lane.more
    const after_last = complete ? null : now(ctx.clock)
    const due_at = last && holdsUp(last) ? last.next_attempt_at : after_last
    const health = healthOf(lane, settlements)
    await settleSurely({ bot_id, chat_id, version, worker_id, due_at, settlements })
    if (last?.tried?.status === 410) await disableUrl(ctx, bot_id, lane.url)
    if (!health) return
    for (const botId of await recordHealth(pool, [health], now(ctx.clock))) await pauseUrl(ctx, botId)
  }

  function fly(lane: ClaimedLane) {
    const key = `${lane.bot_id}:${lane.chat_id}`
    take(lane, 1)
    const flight = work(lane)
      .catch(warn)
      .finally(() => {
        flying.delete(key)
        take(lane, -1)
        lookSoon()
      })
    flying.set(key, flight)
  }

  async function takeDue(): Promise<number> {
    let taken = 0
    for (;;) {
      const room = LANES - flying.size
      if (room <= 0 || stopping) return taken
      const at = now(ctx.clock)
      const sure = rung || flying.size > 0
      rung = false
      if (!sure && !(await isDue(pool, at))) return taken
      await lease.freshen()
      const { lanes, more } = await claimLanes(pool, lease.worker_id, at, { lanes: room, bots, origins })
      for (const lane of lanes) fly(lane)
      taken += lanes.length
      if (!more) return taken
    }
  }

  function look(): Promise<number> {
    if (looking) {
      again = true
      return looking
    }
    looking = takeDue()
      .catch((error) => {
        warn(error)
        return 0
      })
      .finally(() => {
        looking = undefined
        if (again && !stopped) {
          again = false
          look()
        }
      })
    return looking
  }

  /** Lanes that end at about the same time are followed by one look. */
  function lookSoon() {
    soon ??= setTimeout(() => {
      soon = undefined
      if (!stopped) look()
    }, LOOK_AFTER_MS)
  }

  /** What processes that died had in their hands becomes everybody's again. */
  async function takeOver() {
    await freeAbandoned(pool).catch(warn)
    await recoverDirect(ctx).catch(warn)
  }

  async function tick() {
    await takeOver()
    await look()
    if (!stopped) timer = setTimeout(tick, LOOK_EVERY_MS)
  }

  return {
    name: 'deliveries',
    start() {
      stopped = false
      unhook = ctx.bell.on('deliveries', () => {
        rung = true
        void look()
      })
      heart = setInterval(() => {
        if (flying.size > 0) lease.renew().catch(warn)
      }, LOOK_EVERY_MS)
      void tick()
    },
    async stop(timeout_ms) {
      stopped = true
      stopping = true
      unhook?.()
      clearTimeout(timer)
      clearTimeout(soon)
      soon = undefined
      await looking
      const late = new Promise<void>((resolve) => setTimeout(resolve, timeout_ms).unref())
      await Promise.race([Promise.all(flying.values()), late])
      clearInterval(heart)
      await lease.release().catch(warn)
      stopping = false
    },
    async drain() {
      let total = 0
      await takeOver()
      for (;;) {
        await looking
        const taken = await look()
        total += taken
        const flights = [...flying.values()]
        if (taken === 0 && flights.length === 0) return total
        if (flights.length > 0) await Promise.race(flights)
      }
    },
  }
}
