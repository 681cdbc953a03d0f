import { Problem } from './problem.js'

export interface FairQueue {
  /** Runs the work when a slot is free. Waiting holders are served round-robin, so that one with much work does not block others. */
  take<T>(holder: number | string, work: () => Promise<T>): Promise<T>
}

interface Options {
  atOnce: number
  /** Of one holder; more are refused with 503. */
  waitingAtMost: number
}

/** Limits work that occupies a core or much memory while it runs. */
export function createFairQueue({ atOnce, waitingAtMost }: Options): FairQueue {
  const waiting = new Map<number | string, (() => void)[]>()
  let running = 0

  /** The holder at the front has waited longest since its last turn; with more to do it goes to the back. */
  function passOn() {
    for (const [holder, starts] of waiting) {
      waiting.delete(holder)
      const start = starts.shift()
      if (starts.length > 0) waiting.set(holder, starts)
      if (start) return start()
    }
    running -= 1
  }

  function place(holder: number | string): Promise<void> | undefined {
    if (running < atOnce) {
      running += 1
      return undefined
    }
    const starts = waiting.get(holder) ?? []
    if (starts.length >= waitingAtMost)
      throw new Problem(503, 'service_unavailable', {}, { 'Retry-After': '1' })
    waiting.set(holder, starts)
    return new Promise((start) => starts.push(start))
  }

  return {
    async take(holder, work) {
      await place(holder)
      try {
        return await work()
      } finally {
        passOn()
      }
    },
  }
}
