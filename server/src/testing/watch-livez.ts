import type { TestContext } from 'node:test'
import { Worker } from 'node:worker_threads'

/** What the thread and the test share; each figure is the largest since it was last set to 0. */
export interface LivezData {
  url: string
  shared: Int32Array
}
export const ANSWERS = 0
export const OWN_MS = 1
export const WORKED_MS = 2

export interface Slowest {
  /** Until `/livez` answered, without the time in which the machine had no core for the threads of this process. */
  own_ms: number
  /** CPU time of the server's thread while `/livez` waited, where the system reports it. */
  worked_ms: number
}

/** Asks `/livez` again and again, from a thread that a stalled server does not stall with it. */
export function watchLivez(t: TestContext, url: string) {
  const shared = new Int32Array(new SharedArrayBuffer(12))
  const workerData: LivezData = { url, shared }
  const thread = new Worker(new URL('./livez-thread.js', import.meta.url), { workerData })
  t.after(() => thread.terminate())
  return {
    /** The slowest answers while this ran; requests in flight at its end are awaited. */
    async during(work: () => Promise<unknown>): Promise<Slowest> {
      for (const place of [OWN_MS, WORKED_MS]) Atomics.store(shared, place, 0)
      await work()
      const seen = Atomics.load(shared, ANSWERS)
      while (Atomics.load(shared, ANSWERS) < seen + 2) await new Promise((resolve) => setTimeout(resolve, 2))
      return { own_ms: Atomics.load(shared, OWN_MS), worked_ms: Atomics.load(shared, WORKED_MS) }
    },
  }
}
