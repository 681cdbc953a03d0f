import assert from 'node:assert/strict'
import { constants, type PerformanceEntry, PerformanceObserver } from 'node:perf_hooks'
import { test } from 'node:test'
import { startShrinking } from './young-generation.js'

test('an idle process collects its young generation', async (t) => {
  const collected = new Promise<PerformanceEntry>((resolve) => {
    const observer = new PerformanceObserver((list) => resolve(list.getEntries()[0] as PerformanceEntry))
    observer.observe({ entryTypes: ['gc'] })
    t.after(() => observer.disconnect())
  })
  const shrinking = startShrinking({ look_ms: 20, large_bytes: 0 })
  t.after(() => shrinking.stop())
  // The timer does not keep a process alive.
  const alive = setInterval(() => {}, 1000)
  t.after(() => clearInterval(alive))
  const { detail } = (await collected) as unknown as { detail: { kind: number } }
  assert.equal(detail.kind, constants.NODE_PERFORMANCE_GC_MINOR)
})
