/** Items that come one by one, and are taken together when they come often. */
export interface Pace<T> {
  add(item: T): void
  /** Takes what waits now. */
  flush(): void
  /** Forgets what waits. */
  close(): void
}

/** As many are taken at once within a window; the next ones wait for each other. */
const AT_ONCE = 3
const WINDOW_MS = 150
const TOGETHER_MS = 50

/**
 * A single message is shown at once. Of a flood, what comes within some frames is drawn together: drawing costs the same
 * for three messages as for one.
 */
export function createPace<T>(take: (items: readonly T[]) => void, now = () => performance.now()): Pace<T> {
  let waiting: T[] = []
  let timer: ReturnType<typeof setTimeout> | undefined
  const taken = Array<number>(AT_ONCE).fill(Number.NEGATIVE_INFINITY)

  function flush() {
    clearTimeout(timer)
    timer = undefined
    if (waiting.length === 0) return
    const items = waiting
    waiting = []
    taken.push(now())
    taken.shift()
    take(items)
  }

  return {
    add(item) {
      waiting.push(item)
      if (timer !== undefined) return
      const at = now()
      if (at - (taken[0] ?? 0) > WINDOW_MS) flush()
      else timer = setTimeout(flush, (taken.at(-1) ?? 0) + TOGETHER_MS - at)
    },
    flush,
    close() {
      clearTimeout(timer)
      timer = undefined
      waiting = []
    },
  }
}
