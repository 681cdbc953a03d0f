import type { AnyEvent, EventOf } from '@parley/contract'
import { sql } from 'kysely'
import { now } from '../clock.js'
import type { Context } from '../context.js'
import type { Tx } from '../db/index.js'
import { LOCKS } from '../db/locks.js'
import { type Transactional, transaction } from '../db/transaction.js'
import { isPassing } from '../db/trouble.js'
import { loop, type Worker } from '../worker.js'
import {
  clearSuspects,
  countAttempt,
  findNextEvent,
  isToBlame,
  LATE,
  noteFailure,
  setAside,
  suspectBacklog,
  suspectEvents,
} from './suspects.js'

/** An event with its place in the order of all events; its type tells what the payload is. */
export type RelayedEvent = EventOf<AnyEvent> & {
  id: number
  position: number
  chat_id: number | null
  actor_id: number
  created_at: Date
}

/** Told of each batch of events inside the transaction that gives them their positions. */
export type EventReader = (tx: Tx, events: RelayedEvent[]) => Promise<void>

const BATCH = 500
/** How long readers may take: for one event, and for a batch of events that nobody suspects. */
const ALONE_MS = 1_000
const BATCH_MS = 10_000
/** A relay that says nothing inside its transaction for this long loses its connection, and the lock with it. */
const IDLE_MS = 5_000
/** What comes while the relay rests goes together: a round costs the same for one event and for twenty. */
const REST_MS = 5

export type RelayContext = Transactional & Pick<Context, 'clock' | 'log' | 'metrics' | 'round'>

async function takeWaiting(tx: Tx, only?: number): Promise<RelayedEvent[]> {
  const waiting =
    only === undefined
      ? sql`select id from events where position is null order by id limit ${BATCH}`
      : sql`select id from events where position is null and id = ${only}`
  const { rows } = await sql<RelayedEvent>`
    with waiting as materialized (${waiting}), placed as materialized (
      select id, nextval('events_position_seq') as position from waiting order by id
    )
    update events e set position = placed.position from placed where e.id = placed.id
    returning e.id, e.position, e.type, e.chat_id, e.actor_id, e.payload, e.created_at`.execute(tx)
  return rows.sort((a, b) => a.position - b.position)
}

interface Lock {
  mine: boolean
  suspecting: boolean
  /** The connection's process in the database. */
  pid: number
}

/** One process at a time relays, so that positions follow commits and events of a chat keep their order. */
async function lock(tx: Tx): Promise<Lock> {
  const { rows } = await sql<Lock>`
    select pg_try_advisory_xact_lock(${LOCKS.relay}) as mine, exists (select from relay_suspects) as suspecting,
      pg_backend_pid() as pid,
      set_config('idle_in_transaction_session_timeout', ${String(IDLE_MS)}, true),
      set_config('statement_timeout', ${String(BATCH_MS)}, true),
      set_config('lock_timeout', ${String(ALONE_MS * 0.7)}, true)`.execute(tx)
  return rows[0] as Lock
}

interface Round {
  tx: Tx
  pid: number
  readers: readonly EventReader[]
  /** The events that are tried, alone or together. */
  alone: number[]
  together: number[]
  late?: Error
}

/** Hands events to the readers. A reader that takes too long loses its connection, even where it would never end. */
async function tell(ctx: RelayContext, round: Round, events: RelayedEvent[], limit_ms: number) {
  const began = performance.now()
  const read = async () => {
    for (const reader of round.readers) await reader(round.tx, events)
  }
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      round.late = new Error(`${LATE} ${limit_ms} ms`)
      // Whatever the reader still does must not reach a connection that others use.
      const ended = sql`select pg_terminate_backend(${round.pid}, ${ALONE_MS})`.execute(ctx.autocommit)
      ended.then(() => reject(round.late), reject)
    }, limit_ms)
  })
  ctx.round.begin(events.map(({ id }) => id))
  try {
    await Promise.race([read(), late])
  } finally {
    ctx.round.end()
    clearTimeout(timer)
  }
  const took_ms = Math.round(performance.now() - began)
  if (took_ms > ALONE_MS) ctx.log.warn({ events: events.length, took_ms }, 'relay round was slow')
}

/** Places the oldest event alone, or sets it aside where that has failed too often. */
async function relayNext(ctx: RelayContext, round: Round): Promise<number> {
  const { tx } = round
  const next = await findNextEvent(tx)
  if (next?.attempts == null) await clearSuspects(tx)
  if (!next) return 0
  const { id, attempts, last_error } = next
  if (isToBlame(next)) {
    await setAside(tx, next, now(ctx.clock))
    ctx.log.error({ event_id: id, attempts, reason: last_error }, 'event set aside')
    ctx.metrics.set_aside.inc()
    return 1
  }
  await countAttempt(ctx.autocommit, id)
  round.alone.push(id)
  await tell(ctx, round, await takeWaiting(tx, id), ALONE_MS)
  await clearSuspects(tx, id)
  return 1
}

async function relayBatch(ctx: RelayContext, round: Round): Promise<number> {
  const events = await takeWaiting(round.tx)
  round.together.push(...events.map(({ id }) => id))
  if (events.length > 0) await tell(ctx, round, events, BATCH_MS)
  return events.length
}

async function relayOnce(ctx: RelayContext, readers: readonly EventReader[]): Promise<number> {
  let round: Round | undefined
  try {
    return await transaction(ctx, async (tx) => {
      const { mine, suspecting, pid } = await lock(tx)
      if (!mine) return 0
      round = { tx, pid, readers, alone: [], together: [] }
      return suspecting ? relayNext(ctx, round) : relayBatch(ctx, round)
    })
  } catch (thrown) {
    if (round) await noteRound(ctx, round, round.late ?? thrown)
    throw round?.late ?? thrown
  }
}

/** Blames the events of a round that failed, unless the database is to blame. */
async function noteRound(ctx: RelayContext, { alone, together }: Round, error: unknown) {
  const blamed = !isPassing(error)
  for (const id of alone) await noteFailure(ctx.autocommit, id, error, blamed)
  if (blamed) await suspectEvents(ctx.autocommit, together)
}

/**
 * The relay gives every committed event the next position and hands it to the readers, in one transaction:
 * a crash before the commit leaves the event waiting, after it nothing is left to do. After a failure, and on a start
 * with a backlog, events go one at a time until the one that fails is found and set aside.
 */
export function startRelay(
  ctx: RelayContext,
  readers: readonly EventReader[],
  onError: (error: unknown) => void,
): Worker {
  let started = false
  return loop({
    name: 'relay',
    every_ms: 1000,
    wake: (listener) => ctx.bell.on('events', listener),
    onError,
    async step() {
      if (!started) await suspectBacklog(ctx.autocommit, BATCH)
      started = true
      const count = await relayOnce(ctx, readers)
      if (count > 0) ctx.bell.ring('relayed')
      return count
    },
    rest: () => REST_MS,
  })
}
