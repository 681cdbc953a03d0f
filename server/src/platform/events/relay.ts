import type { AnyEvent, EventOf } from '@parley/contract'
import { now } from '../clock.js'
import type { Context } from '../context.js'
import { isTimedOut, isTransient } from '../db/failures.js'
import type { Tx } from '../db/index.js'
import { observed, type Transactional, transaction } from '../db/transaction.js'
import { loop, type Worker } from '../worker.js'
import { hasFailedTooOften, READERS_SLOW } from './blame.js'
import { followRelay } from './follow-relay.js'
import { type OwnTime, startOwnTime } from './own-time.js'
import { endConnection, hasWaiting, lockRelay, placeEvents, takePlaced } from './relay-queries.js'
import {
  clearSuspects,
  countAttempt,
  findNextEvent,
  recordFailure,
  setAside,
  suspectBacklog,
  suspectEvents,
} from './suspect-queries.js'

/** An event with its place in the order of all events; its type determines the payload. */
export type RelayedEvent = EventOf<AnyEvent> & {
  id: number
  position: number
  chat_id: number | null
  actor_id: number
  created_at: Date
}

/** Called with each batch of events, inside the transaction that moves the cursor behind them. */
export type EventReader = (tx: Tx, events: RelayedEvent[]) => Promise<void>

/** A batch has so many events that readers take about this long, without their waiting for the database. */
const BATCH_AIM_MS = 250
const BATCH_AT_LEAST = 10
const BATCH_AT_MOST = 500
/** How long readers may take themselves, for one event or a batch. */
const OWN_MS = 1_000
/** How long they may wait for the database in all. */
const WALL_MS = 60_000
const LIMITS = {
  /** A relay that says nothing inside its transaction for this long loses its connection, and the lock with it. */
  idle_ms: 5_000,
  /** How long readers may wait for one statement. */
  statement_ms: 10_000,
  lock_ms: 700,
}
/**
 * What comes while the relay rests goes together: a round costs the same for one event and for twenty. From the second
 * round of a turn it rests as long as the round took, or a millisecond for each of its events, so that batches grow with the
 * load; an event alone never waits.
 */
const REST_AT_LEAST_MS = 5
const REST_AT_MOST_MS = 50
/** Another process relays: what was committed here may have come too late for its round. */
const TRY_AGAIN_MS = 25

export type RelayContext = Transactional & Pick<Context, 'clock' | 'db' | 'log' | 'metrics' | 'round'>

class DatabaseSlow extends Error {
  constructor() {
    super(`the database took longer than ${WALL_MS} ms for the readers`)
  }
}

interface Round {
  tx: Tx
  pid: number
  readers: readonly EventReader[]
  /** The events that are tried, alone or together. */
  alone: number[]
  together: number[]
  /** Why the round was ended from here. */
  ended?: Error
  /** How long the database took for a small write, just before. */
  write_ms: number
}

/** Ends the round from outside: statements that a reader still sends must not reach a connection that others use. */
async function cutOff(ctx: RelayContext, round: Round, reason: Error): Promise<never> {
  round.ended = reason
  await endConnection(ctx.autocommit, round.pid, OWN_MS)
  throw reason
}

const late = () => new Error(`${READERS_SLOW} ${OWN_MS} ms`)

/** Fails once the readers have taken too long themselves, or the database for them; the latter says nothing about the events. */
function deadline(ctx: RelayContext, round: Round, own: OwnTime) {
  let timer: NodeJS.Timeout | undefined
  const passed = new Promise<never>((_, reject) => {
    const look = () => {
      const left_ms = OWN_MS - own.ms()
      const reason = left_ms <= 0 ? late() : own.wall_ms() > WALL_MS ? new DatabaseSlow() : undefined
      if (reason) cutOff(ctx, round, reason).catch(reject)
      else timer = setTimeout(look, Math.max(left_ms, 10))
    }
    timer = setTimeout(look, OWN_MS)
  })
  return { passed, clear: () => clearTimeout(timer) }
}

/** Hands events to the readers and says how long they took, without their waiting for the database. */
async function tell(ctx: RelayContext, round: Round, events: RelayedEvent[]): Promise<number> {
  const own = startOwnTime()
  const tx = observed(round.tx, own.plugin)
  const read = async () => {
    for (const reader of round.readers) await reader(tx, events)
  }
  const { passed, clear } = deadline(ctx, round, own)
  ctx.round.begin(events.map(({ id }) => id))
  try {
    await Promise.race([read(), passed])
  } finally {
    ctx.round.end()
    clear()
  }
  const [own_ms, took_ms] = [Math.round(own.ms()), Math.round(own.wall_ms())]
  if (took_ms > OWN_MS) ctx.log.warn({ events: events.length, took_ms, own_ms }, 'relay round was slow')
  // What they did is rolled back: the next of its kind would hold up everything again.
  if (own_ms > OWN_MS) throw late()
  return own_ms
}

/** Relays the oldest event alone, or sets it aside where that has failed too often. */
async function relayNext(ctx: RelayContext, round: Round): Promise<number> {
  const { tx } = round
  const next = await findNextEvent(tx)
  if (next?.attempts == null) await clearSuspects(tx)
  if (!next) return 0
  const { id, attempts, last_error } = next
  if (hasFailedTooOften(next)) {
    await setAside(tx, next, now(ctx.clock))
    ctx.log.error({ event_id: id, attempts, reason: last_error }, 'event set aside')
    ctx.metrics.set_aside.inc()
    return 1
  }
  const began = performance.now()
  await countAttempt(ctx.autocommit, id)
  round.write_ms = performance.now() - began
  round.alone.push(id)
  await tell(ctx, round, await takePlaced(tx, { only: id }))
  await clearSuspects(tx, id)
  return 1
}

interface BatchSize {
  limit: number
}

async function relayBatch(ctx: RelayContext, round: Round, size: BatchSize): Promise<number> {
  const events = await takePlaced(round.tx, size)
  if (events.length === 0) return 0
  round.together.push(...events.map(({ id }) => id))
  const larger = Math.min(BATCH_AT_MOST, size.limit * 2)
  // Also where the round fails.
  size.limit = Math.max(BATCH_AT_LEAST, Math.floor(events.length / 2))
  if ((await tell(ctx, round, events)) <= BATCH_AIM_MS) size.limit = larger
  return events.length
}

interface Relayed {
  count: number
  /** More may wait that was there before. */
  more: boolean
  /** Another process relays. */
  refused?: true
}

async function relayOnce(
  ctx: RelayContext,
  readers: readonly EventReader[],
  size: BatchSize,
): Promise<Relayed> {
  let round: Round | undefined
  try {
    return await transaction(ctx, async (tx) => {
      const { mine, suspecting, unplaced, pid } = await lockRelay(tx, LIMITS)
      if (!mine) return { count: 0, more: false, refused: true }
      if (unplaced) await placeEvents(ctx.autocommit, LIMITS.lock_ms)
      round = { tx, pid, readers, alone: [], together: [], write_ms: 0 }
      if (suspecting) return { count: await relayNext(ctx, round), more: true }
      const { limit } = size
      const count = await relayBatch(ctx, round, size)
      return { count, more: count === limit }
    })
  } catch (thrown) {
    if (round) await noteRound(ctx, round, round.ended ?? thrown)
    throw round?.ended ?? thrown
  }
}

/** Blames the events of a round that failed, unless the database is to blame. */
async function noteRound(ctx: RelayContext, { alone, together, write_ms }: Round, error: unknown) {
  const slow = error instanceof DatabaseSlow || (isTimedOut(error) && write_ms > OWN_MS)
  const blamed = !slow && !isTransient(error)
  for (const id of alone) await recordFailure(ctx.autocommit, id, error, blamed)
  if (blamed) await suspectEvents(ctx.autocommit, together)
}

/**
 * The relay gives committed events positions, where they have none yet, and hands events to the readers in the order of
 * their positions. The cursor moves in the transaction of the readers: a crash before its commit leaves the events waiting,
 * after it nothing is left to do. One of the processes relays for all (`followRelay`); whatever is left is found by any of them
 * within a second. After a failure, and on a start
 * with a backlog, events go one at a time until the one that fails is found and set aside.
 */
export function startRelay(
  ctx: RelayContext,
  readers: readonly EventReader[],
  onError: (error: unknown) => void,
): Worker {
  let started = false
  let more = false
  /** Something was committed here since the last round. */
  let rung = true
  let wake = () => {}
  const size = { limit: BATCH_AT_LEAST }
  return loop({
    name: 'relay',
    every_ms: 1000,
    wake(listener) {
      wake = listener
      return followRelay(ctx.bell, (sure) => {
        rung ||= sure
        listener()
      })
    },
    onError,
    async step() {
      if (!started) await suspectBacklog(ctx.autocommit, BATCH_AT_MOST)
      started = true
      // A look without a cause finds nothing most of the time: another process has relayed it.
      if (!rung && !more && !(await hasWaiting(ctx.db))) return 0
      rung = false
      const relayed = await relayOnce(ctx, readers, size)
      more = relayed.more
      if (relayed.refused) setTimeout(wake, TRY_AGAIN_MS).unref()
      if (relayed.count > 0) ctx.bell.ring('relayed')
      return relayed.count
    },
    leaves: () => more,
    rest: (took_ms, steps, events) =>
      steps === 1 ? 0 : Math.min(Math.max(REST_AT_LEAST_MS, took_ms, events), REST_AT_MOST_MS),
  })
}
