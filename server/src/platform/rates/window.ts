/** The times of what one key took, oldest first; those before `head` have left the window. */
export interface Log {
  times: number[]
  head: number
}

/** The logs of one rule by key. Keys that were idle for a window are forgotten without being looked for. */
export interface LogStore {
  find(key: string, now: number): Log
  size(): number
}

/** So many keys within one window are far beyond honest use; past it the older half is forgotten early. */
const MAX_KEYS_PER_GENERATION = 250_000

/**
 * Keeps logs in two generations: each window the young one becomes the old one and the old one is dropped, so a
 * key that is dropped was last used more than a window ago.
 */
export function createLogStore(window_ms: number): LogStore {
  let young = new Map<string, Log>()
  let old = new Map<string, Log>()
  let turned_at = Number.NEGATIVE_INFINITY

  function turn(now: number) {
    old = now - turned_at < 2 * window_ms ? young : new Map()
    young = new Map()
    turned_at = now
  }

  return {
    find(key, now) {
      if (Math.abs(now - turned_at) >= window_ms || young.size >= MAX_KEYS_PER_GENERATION) turn(now)
      let log = young.get(key)
      if (!log) {
        log = old.get(key) ?? { times: [], head: 0 }
        old.delete(key)
        young.set(key, log)
      }
      prune(log, now, window_ms)
      return log
    },
    size: () => young.size + old.size,
  }
}

/** How many in the log are still in the window. */
export function countOf(log: Log): number {
  return log.times.length - log.head
}

/** Milliseconds until fewer than `limit` are in the window; until the oldest leaves it where that is so already. */
export function waitFor(log: Log, limit: number, window_ms: number, now: number): number {
  const blocking = log.times[log.head + Math.max(0, countOf(log) - limit)]
  return blocking === undefined ? 0 : blocking + window_ms - now
}

function prune(log: Log, now: number, window_ms: number) {
  const { times } = log
  // A clock that was set back leaves times of the future; they may not block for longer than a window either.
  while (log.head < times.length && Math.abs(now - times[log.head]!) >= window_ms) log.head++
  if (log.head === times.length) {
    times.length = 0
    log.head = 0
  } else if (log.head >= 32) {
    times.splice(0, log.head)
    log.head = 0
  }
}
