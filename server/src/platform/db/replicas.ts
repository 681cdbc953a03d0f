import { setTimeout as delay } from 'node:timers/promises'
import type { Log } from '../log.js'
import { hostName } from './hosts.js'
import type { Db, Pool } from './index.js'
import { openReading } from './pools.js'
import { fixedPrimary } from './primary.js'
import { findFollowed, findWritten } from './replica-queries.js'
import type { Searches } from './search-pool.js'

/** How often primary and replicas are asked how far they are. */
const WATCH_MS = 500
/** A replica that is later than this is left out. Callers who wrote nothing for longer see all of their writes on any replica. */
export const LATEST_MS = 10_000
/** How long background work waits for a replica that has everything. */
const CATCH_UP_MS = 1_000
const CATCH_UP_STEP_MS = 20

/** What reads need of a context, on a replica. */
export interface Reading {
  db: Db
  pool: Pool
  searches: Searches
}

export interface ReplicaState {
  host: string
  /** By how much it follows later than the primary writes; null while it is away. */
  lag_ms: number | null
}

export interface Replicas {
  /** A replica that has everything up to a position; undefined where none has. Positions are those of the primary's log. */
  at(position: number): { reading: Reading; position: number; fail(error: unknown): void } | undefined
  /** Where everything lies before that is committed by now. */
  written(): Promise<number>
  /** A replica that has all that is committed by now, for work that may wait for one. */
  caughtUp(): Promise<Reading | undefined>
  states(): ReplicaState[]
  close(): Promise<void>
}

interface Follower extends ReplicaState {
  position: number
  reading: Reading
  close(): Promise<void>
}

/** Callers of one moment share a question; one that comes while it is on its way needs the next, as it may have committed since. */
function shared<T>(ask: () => Promise<T>): () => Promise<T> {
  let running: Promise<unknown> = Promise.resolve()
  let next: Promise<T> | undefined
  return () => {
    next ??= running.then(() => {
      const asked = ask()
      running = asked.catch(() => {})
      next = undefined
      return asked
    })
    return next
  }
}

/** Where the primary was in the last moments, to tell how late a position is. */
class History {
  readonly #marks: { at: number; position: number }[] = []

  note(position: number) {
    const at = performance.now()
    this.#marks.push({ at, position })
    while (this.#marks.length > 1 && at - (this.#marks[0]?.at ?? at) > 2 * LATEST_MS) this.#marks.shift()
  }

  /** How long ago the primary went beyond a position. */
  lagOf(position: number): number {
    const passed = this.#marks.find((mark) => mark.position > position)
    return passed ? performance.now() - passed.at : 0
  }
}

function openFollower(url: string, size: number, log: Log): Follower {
  const host = hostName(url)
  const onError = (error: Error) => log.debug({ err: error, host }, 'connection to a replica failed')
  const pools = openReading({ url: fixedPrimary(url), keeps_sessions: true, onError }, size)
  const reading = { db: pools.db, pool: pools.usual, searches: pools.searches }
  return { host, lag_ms: null, position: 0, reading, close: pools.close }
}

/** Asks primary and replicas again and again how far they are, and leaves out those that are late or away. */
function watchFollowers(followers: readonly Follower[], primary: Pool, log: Log) {
  const history = new History()
  let closed = false
  let timer: NodeJS.Timeout | undefined

  function leaveOut(follower: Follower, reason: string) {
    if (follower.lag_ms !== null && !closed)
      log.warn({ host: follower.host }, `replica ${follower.host} is left out: ${reason}`)
    follower.lag_ms = null
  }

  async function look(follower: Follower) {
    try {
      const position = await findFollowed(follower.reading.pool)
      if (position === null) return leaveOut(follower, 'it follows no primary')
      const lag_ms = history.lagOf(position)
      if (lag_ms > LATEST_MS) return leaveOut(follower, `it is ${Math.round(lag_ms / 1000)} s late`)
      if (follower.lag_ms === null) log.info({ host: follower.host }, `replica ${follower.host} is used`)
      Object.assign(follower, { position, lag_ms })
    } catch (error) {
      leaveOut(follower, (error as Error).message)
    }
  }

  async function lookAround() {
    // While the primary is away, replicas are as late as they are: what they have is still true.
    await findWritten(primary).then(
      (position) => history.note(position),
      () => {},
    )
    await Promise.all(followers.map(look))
    if (!closed) timer = setTimeout(lookAround, WATCH_MS).unref()
  }
  void lookAround()

  return {
    look,
    leaveOut,
    stop() {
      closed = true
      clearTimeout(timer)
    },
  }
}

/** Follows the replicas of a database; null where there are none. */
export function openReplicas(
  urls: readonly string[],
  size: number,
  primary: Pool,
  log: Log,
): Replicas | null {
  if (urls.length === 0) return null
  const followers = urls.map((url) => openFollower(url, size, log))
  const watch = watchFollowers(followers, primary, log)
  const written = shared(() => findWritten(primary))
  let turn = 0

  const findAt = (position: number) => {
    const fit = followers.filter((follower) => follower.lag_ms !== null && follower.position >= position)
    turn += 1
    return fit[turn % fit.length]
  }

  return {
    written,
    at(position) {
      const follower = findAt(position)
      if (!follower) return undefined
      const fail = (error: unknown) => watch.leaveOut(follower, (error as Error).message)
      return { reading: follower.reading, position: follower.position, fail }
    },
    async caughtUp() {
      const position = await written()
      const until = performance.now() + CATCH_UP_MS
      for (;;) {
        const follower = findAt(position)
        if (follower) return follower.reading
        const candidates = followers.filter(({ lag_ms }) => lag_ms !== null)
        if (candidates.length === 0 || performance.now() > until) return undefined
        await delay(CATCH_UP_STEP_MS)
        await Promise.all(candidates.map(watch.look))
      }
    },
    states: () => followers.map(({ host, lag_ms }) => ({ host, lag_ms })),
    async close() {
      watch.stop()
      await Promise.all(followers.map((follower) => follower.close()))
    },
  }
}
