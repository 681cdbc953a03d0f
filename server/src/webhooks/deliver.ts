import { now } from '../platform/clock.js'
import type { Context } from '../platform/context.js'
import type { Worker } from '../platform/worker.js'
import { type ClaimedLane, claimLanes } from './claim-queries.js'
import { createLanesInFlight } from './lanes-in-flight.js'
import { createLease } from './lease.js'
import { freeAbandoned } from './lease-queries.js'
import { isDue } from './queries.js'
import { createLaneSender } from './send-lane.js'
import { recoverDirect } from './send-now.js'

/** Lanes sent at once; each holds one request. */
const LANES = 256
const LOOK_EVERY_MS = 1_000
/** After a lane ends the next look waits as long as the last one took, so that looks take more lanes each under load. */
const LOOK_AFTER_AT_LEAST_MS = 3
const LOOK_AFTER_AT_MOST_MS = 20

/** Looks for what is due, once at a time; a look that is asked for during another one follows it. */
function createLook(takeDue: () => Promise<number>, onError: (error: unknown) => void) {
  let looking: Promise<number> | undefined
  let again = false
  let stopped = true
  let soon: NodeJS.Timeout | undefined
  let took_ms = 0

  function look(): Promise<number> {
    if (looking) {
      again = true
      return looking
    }
    const began = performance.now()
    looking = takeDue()
      .catch((error) => {
        onError(error)
        return 0
      })
      .finally(() => {
        took_ms = performance.now() - began
        looking = undefined
        if (again && !stopped) {
          again = false
          look()
        }
      })
    return looking
  }

  return {
    now: look,
    /** Lanes that end at about the same time are followed by one look. */
    soon() {
      const wait_ms = Math.min(Math.max(LOOK_AFTER_AT_LEAST_MS, took_ms), LOOK_AFTER_AT_MOST_MS)
      soon ??= setTimeout(() => {
        soon = undefined
        if (!stopped) look()
      }, wait_ms)
    },
    ended: async () => void (await looking),
    start() {
      stopped = false
    },
    async stop() {
      stopped = true
      clearTimeout(soon)
      soon = undefined
      await looking
    },
    isStopped: () => stopped,
  }
}

type Lanes = ReturnType<typeof createLanesInFlight>

/** Claims due lanes while there is room; without a ring it first asks whether any is due, at a seventh of the cost. */
function createTaking(
  ctx: Context,
  lanes: Lanes,
  lease: ReturnType<typeof createLease>,
  sending: { isStopping(): boolean; start(lane: ClaimedLane): void },
) {
  const { pool, hot_pool, clock } = ctx
  let rung = false
  return {
    ring() {
      rung = true
    },
    async takeDue(): Promise<number> {
      let taken = 0
      for (;;) {
        if (lanes.roomWithin(LANES).lanes <= 0 || sending.isStopping()) return taken
        const at = now(clock)
        const sure = rung
        rung = false
        if (!sure && !(await isDue(pool, at))) return taken
        await lease.freshen()
        const claimed = await claimLanes(hot_pool, lease.worker_id, at, lanes.roomWithin(LANES))
        for (const lane of claimed.lanes) sending.start(lane)
        taken += claimed.lanes.length
        if (!claimed.more) return taken
      }
    },
  }
}

/** Takes and sends until nothing is due and nothing in flight. */
async function drainLanes(look: ReturnType<typeof createLook>, lanes: Lanes): Promise<number> {
  let total = 0
  for (;;) {
    await look.ended()
    const taken = await look.now()
    total += taken
    if (taken === 0 && lanes.size() === 0) return total
    if (lanes.size() > 0) await Promise.race(lanes.ended())
  }
}

/** Sends what waits in the lanes, each lane in order and all of them side by side. */
export function startDeliveries(ctx: Context): Worker {
  const { autocommit_pool: pool } = ctx
  const lease = createLease(pool)
  const lanes = createLanesInFlight()
  let stopping = false
  let timer: NodeJS.Timeout | undefined
  let heart: NodeJS.Timeout | undefined
  let unhook: (() => void) | undefined

  const onError = (error: unknown) => ctx.log.warn({ err: error }, 'delivery worker failed; retrying')
  const send = createLaneSender({ ctx, lease, isStopping: () => stopping, onError })
  const taking = createTaking(ctx, lanes, lease, {
    isStopping: () => stopping,
    start: (lane) => lanes.add(lane, (one, onSent) => send(one, onSent).catch(onError), look.soon),
  })
  const look = createLook(taking.takeDue, onError)

  /** Frees the lanes that processes which died had claimed. */
  async function takeOver() {
    await freeAbandoned(pool).catch(onError)
    await recoverDirect(ctx).catch(onError)
  }

  async function tick() {
    await takeOver()
    await look.now()
    if (!look.isStopped()) timer = setTimeout(tick, LOOK_EVERY_MS)
  }

  return {
    name: 'deliveries',
    start() {
      look.start()
      unhook = ctx.bell.on('deliveries', () => {
        taking.ring()
        void look.now()
      })
      heart = setInterval(() => {
        if (lanes.size() > 0) lease.renew().catch(onError)
      }, LOOK_EVERY_MS)
      void tick()
    },
    async stop(timeout_ms) {
      stopping = true
      unhook?.()
      clearTimeout(timer)
      await look.stop()
      const late = new Promise<void>((resolve) => setTimeout(resolve, timeout_ms).unref())
      await Promise.race([Promise.all(lanes.ended()), late])
      clearInterval(heart)
      await lease.release().catch(onError)
      stopping = false
    },
    async drain() {
      await takeOver()
      return drainLanes(look, lanes)
    },
  }
}
