import type { TestContext } from 'node:test'
import { Worker } from 'node:worker_threads'

/** What the thread and the test share; each figure is the largest since it was last set to 0. */
export interface LivezData {
  url: string
  shared: Int32Array
}
export const ANSWERS = 0
export const TOOK_MS = 1
export const WORKED_MS = 2
export const CONTROL_MS = 3

export interface Slowest {
  /** Until `/livez` answered. */
  took_ms: number
  /** CPU time of the server's thread while `/livez` waited. A machine that is busy with something else hardly adds to it. */
  worked_ms: number
  /** By how much a thread that does nothing woke up late: what the machine added. */
  control_ms: number
}

/** Asks `/livez` again and again, from a thread that a stalled server does not stall with it. */
export function watchLivez(t: TestContext, url: string) {
  const shared = new Int32Array(new SharedArrayBuffer(16))
  const workerData: LivezData = { url, shared }
  const thread = new Worker(new URL('./livez-thread.js', import.meta.url), { workerData })
  t.after(() => thread.terminate())
  return {
    /** The slowest answers while this ran; whatever was under way at its end is waited for. */
    async during(work: () => Promise<unknown>): Promise<Slowest> {
      for (const place of [TOOK_MS, WORKED_MS, CONTROL_MS]) Atomics.store(shared, place, 0)
      await work()
      const seen = Atomics.load(shared, ANSWERS)
      while (Atomics.load(shared, ANSWERS) < seen + 2) await new Promise((resolve) => setTimeout(resolve, 2))
      const [took_ms, worked_ms, control_ms] = [TOOK_MS, WORKED_MS, CONTROL_MS].map((place) =>
        Atomics.load(shared, place),
      ) as [number, number, number]
      return { took_ms, worked_ms, control_ms }
    },
  }
}
