import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createMemoryRates } from './memory.js'
import { createTestClock } from './testing-clock.js'
import { testRates } from './testing-conformance.js'

const RULE = { name: 'everything', limit: 50, window_ms: 1_000 }

testRates('in memory', async (_t, clock) => createMemoryRates(clock))

test('200 000 keys are forgotten once they are idle', () => {
  const clock = createTestClock()
  const rates = createMemoryRates(clock)
  for (let i = 0; i < 200_000; i++) {
    rates.take([{ rule: RULE, key: `token-${i}` }])
    if (i % 100 === 0) clock.forward(1)
  }
  assert(rates.size() <= 200_000)

  clock.forward(RULE.window_ms)
  rates.take([{ rule: RULE, key: 'late' }])
  clock.forward(RULE.window_ms)
  rates.take([{ rule: RULE, key: 'later' }])

  assert(rates.size() <= 2, `${rates.size()} keys are left`)
})

test('a flood of keys within one window is bounded', () => {
  const rates = createMemoryRates(createTestClock())
  for (let i = 0; i < 600_000; i++) rates.take([{ rule: RULE, key: `token-${i}` }])
  assert(rates.size() <= 500_000)
})

test('a key in steady use is never forgotten', () => {
  const clock = createTestClock()
  const rates = createMemoryRates(clock)
  let taken = 0
  for (let at_ms = 0; at_ms < 60_000; at_ms += 7) {
    if (rates.take([{ rule: RULE, key: 'busy' }]).allowed) taken++
    clock.forward(7)
  }
  assert(taken <= 60 * RULE.limit)
  assert(taken >= 59 * RULE.limit)
})
