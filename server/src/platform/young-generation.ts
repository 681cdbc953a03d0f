import { performance } from 'node:perf_hooks'
import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/** V8 judges by the last five seconds whether a process is idle. */
const LOOK_MS = 7_000
/** A young generation below this is not worth a collection. */
const LARGE_BYTES = 8 * 2 ** 20
/** A process that works more than this part of the time collects often enough by itself. */
const BUSY = 0.5

type Collect = (options: { type: 'minor' }) => void

/** V8's own function, which Node gives to contexts that are made after the flag was set. */
function openCollect(): Collect {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as Collect
  setFlagsFromString('--no-expose-gc')
  return collect
}

function sizeOfYoung(): number {
  return getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space')?.space_size ?? 0
}

/**
 * Gives the memory of the young generation back while a process is idle. It grows to its limit with the first load, the start
 * itself, and V8 makes it smaller only in a collection, which an idle process has once in a minute or two.
 */
export function startShrinking({ look_ms = LOOK_MS, large_bytes = LARGE_BYTES } = {}): { stop(): void } {
  const collect = openCollect()
  let before = performance.eventLoopUtilization()
  const timer = setInterval(() => {
    const { utilization } = performance.eventLoopUtilization(before)
    before = performance.eventLoopUtilization()
    if (utilization < BUSY && sizeOfYoung() > large_bytes) collect({ type: 'minor' })
  }, look_ms).unref()
  return { stop: () => clearInterval(timer) }
}
