import assert from 'node:assert/strict'
import { constants, type PerformanceEntry, PerformanceObserver } from 'node:perf_hooks'
import { test } from 'node:test'
import { startShrinking } from './young-generation.js'

interface Collection extends PerformanceEntry {
  detail: { kind: number; flags: number }
}

/** V8 collects by itself, too. */
const isForced = (entry: PerformanceEntry): entry is Collection =>
  ((entry as Collection).detail.flags & constants.NODE_PERFORMANCE_GC_FLAGS_FORCED) > 0

test('an idle process collects its young generation', async (t) => {
  const collected = new Promise<Collection>((resolve) => {
    const observer = new PerformanceObserver((list) => {
      const forced = list.getEntries().find(isForced)
      if (forced) resolve(forced)
    })
    observer.observe({ entryTypes: ['gc'] })
    t.after(() => observer.disconnect())
  })
  const shrinking = startShrinking({ look_ms: 20, large_bytes: 0 })
  t.after(() => shrinking.stop())
  // The timer does not keep a process alive.
  const alive = setInterval(() => {}, 1000)
  t.after(() => clearInterval(alive))
  assert.equal((await collected).detail.kind, constants.NODE_PERFORMANCE_GC_MINOR)
})
