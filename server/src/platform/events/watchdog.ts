import { Worker } from 'node:worker_threads'
import { HEARTBEATS, type RelayRound } from './round.js'
import type { WatchdogData } from './watchdog-thread.js'

const BEAT_MS = 100
const LIMIT_MS = 5_000
/** Of its memory; it hardly does anything. */
const YOUNG_MB = 2

export interface Watchdog {
  stop(): Promise<void>
}

/**
 * Watches the event loop from a thread of its own. One that is stuck while the relay works on a batch can neither go on nor
 * let go of them, so the thread notes them as suspects and ends the process.
 */
export function startWatchdog(round: RelayRound, database_url: string, limit_ms = LIMIT_MS): Watchdog {
  const beat = setInterval(() => Atomics.add(round.shared, HEARTBEATS, 1n), BEAT_MS).unref()
  const workerData: WatchdogData = { shared: round.shared, database_url, limit_ms }
  const resourceLimits = { maxYoungGenerationSizeMb: YOUNG_MB }
  const thread = new Worker(new URL('./watchdog-thread.js', import.meta.url), { workerData, resourceLimits })
  thread.unref()
  return {
    async stop() {
      clearInterval(beat)
      await thread.terminate()
    },
  }
}
