import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import type { Clock } from '../clock.js'
import { HOLD_MS, HOLD_RULE, type RateBucket, type Rates } from './rates.js'
import { createTestClock } from './testing-clock.js'

type Start = (t: TestContext, clock: Clock) => Promise<Rates | undefined>

const BURST = { name: 'burst', limit: 4, window_ms: 1_000 }
const TOTAL = { name: 'total', limit: 6, window_ms: 5_000 }

const burst = (key: string): [RateBucket] => [{ rule: BURST, key }]

/** What every kind of rates has to do, said once; `start` may answer undefined after skipping the test. */
export function testRates(kind: string, start: Start) {
  const rates = (
    name: string,
    body: (rates: Rates, clock: ReturnType<typeof createTestClock>) => Promise<void>,
  ) =>
    test(`${kind}: ${name}`, async (t) => {
      const clock = createTestClock()
      const started = await start(t, clock)
      if (started) await body(started, clock)
    })

  rates('a window slides', async (rates, clock) => {
    for (let i = 0; i < 4; i++) {
      const verdict = await rates.take(burst('a'))
      assert.equal(verdict.allowed, true)
      assert.equal(verdict.remaining, 3 - i)
      assert.equal(verdict.retry_after_s, 0)
      clock.forward(100)
    }
    const refused = await rates.take(burst('a'))
    assert.deepEqual(refused, { allowed: false, rule: BURST, remaining: 0, reset_ms: 600, retry_after_s: 1 })
    clock.forward(599)
    assert.equal((await rates.take(burst('a'))).allowed, false)
    clock.forward(1)
    assert.equal((await rates.take(burst('a'))).allowed, true)
    assert.equal((await rates.take(burst('a'))).allowed, false)
    clock.forward(100)
    assert.equal((await rates.take(burst('a'))).allowed, true)
  })

  rates('never more than the limit in any window', async (rates, clock) => {
    const taken: number[] = []
    let seed = 7
    for (let i = 0; i < 600; i++) {
      seed = (seed * 48_271) % 2_147_483_647
      clock.forward(seed % 120)
      if ((await rates.take(burst('steady'))).allowed) taken.push(clock.now())
    }
    const within = (at: number) => taken.filter((other) => other > at - 1_000 && other <= at).length
    assert.equal(Math.max(...taken.map(within)), 4)
    assert(taken.length > 100)
  })

  rates('keys do not share a window, names do', async (rates) => {
    for (let i = 0; i < 4; i++) await rates.take(burst('a'))
    const sameName: [RateBucket] = [{ rule: { ...BURST }, key: 'a' }]
    const otherName: [RateBucket] = [{ rule: { ...BURST, name: 'other' }, key: 'a' }]

    assert.equal((await rates.take(burst('b'))).allowed, true)
    assert.equal((await rates.take(otherName)).allowed, true)
    assert.equal((await rates.take(sameName)).allowed, false)
  })

  rates('one is taken from all buckets or from none', async (rates, clock) => {
    const both = (chat: string): [RateBucket, RateBucket] => [
      { rule: BURST, key: `token:${chat}` },
      { rule: TOTAL, key: 'token' },
    ]
    for (let i = 0; i < 4; i++) assert.equal((await rates.take(both('1'))).allowed, true)
    for (let i = 0; i < 20; i++) assert.equal((await rates.take(both('1'))).rule.name, 'burst')

    clock.forward(400)
    const fifth = await rates.take(both('2'))
    assert.equal(fifth.allowed, true)
    assert.equal(fifth.rule.name, 'total', 'the tightest rule is told')
    assert.equal(fifth.remaining, 1)
    assert.equal(fifth.reset_ms, 4_600)
    assert.equal((await rates.take(both('2'))).allowed, true)

    const refused = await rates.take(both('1'))
    assert.equal(refused.rule.name, 'total', 'the longest wait is told')
    assert.equal(refused.retry_after_s, 5)
    const elsewhere = await rates.take(both('3'))
    assert.equal(elsewhere.rule.name, 'total')
    for (let i = 0; i < 4; i++) assert.equal((await rates.take(burst('token:3'))).allowed, true)
  })

  rates('a limit that was lowered waits until there is room under it', async (rates, clock) => {
    for (let i = 0; i < 4; i++) {
      await rates.take(burst('a'))
      clock.forward(100)
    }
    const lowered: [RateBucket] = [{ rule: { ...BURST, limit: 2 }, key: 'a' }]
    const verdict = await rates.take(lowered)
    assert.equal(verdict.allowed, false)
    assert.equal(verdict.reset_ms, 800)
  })

  rates('repeated overruns put the holder on hold, which requests do not extend', async (rates, clock) => {
    const start_ms = clock.now()
    for (let i = 0; i < 4; i++) await rates.take(burst('a'), 'token')
    for (let i = 0; i < HOLD_RULE.limit; i++)
      assert.equal((await rates.take(burst('a'), 'token')).rule.name, 'burst')
    const last = await rates.take(burst('a'), 'token')
    assert.deepEqual(last, {
      allowed: false,
      rule: HOLD_RULE,
      remaining: 0,
      reset_ms: HOLD_MS,
      retry_after_s: 300,
    })

    for (const after_s of [10, 100, 299]) {
      clock.forward(start_ms + after_s * 1_000 - clock.now())
      const verdict = await rates.take(burst('another'), 'token')
      assert.equal(verdict.allowed, false)
      assert.equal(verdict.retry_after_s, 300 - after_s)
    }
    assert.equal((await rates.take(burst('a'), 'other token')).allowed, true)
    assert.equal((await rates.take(burst('a'))).allowed, true, 'who has no holder is not held')

    clock.forward(start_ms + HOLD_MS - clock.now())
    for (let i = 0; i < 4; i++) assert.equal((await rates.take(burst('b'), 'token')).allowed, true)
    assert.equal(
      (await rates.take(burst('b'), 'token')).rule.name,
      'burst',
      'overruns are counted from zero again',
    )
  })

  rates('overruns spread over more than a minute hold nobody', async (rates, clock) => {
    for (let i = 0; i < 4 * HOLD_RULE.limit; i++) {
      clock.forward(200)
      for (let j = 0; j < 2; j++) {
        const verdict = await rates.take(
          [{ rule: { name: 'slow', limit: 1, window_ms: 400 }, key: 'a' }],
          'token',
        )
        assert.notEqual(verdict.rule.name, 'hold')
      }
      clock.forward(300)
    }
  })

  rates('switched off, everything passes and nothing is counted', async (rates) => {
    rates.setEnabled(false)
    for (let i = 0; i < 500; i++) assert.equal((await rates.take(burst('a'), 'token')).allowed, true)
    rates.setEnabled(true)
    for (let i = 0; i < 4; i++) assert.equal((await rates.take(burst('a'), 'token')).allowed, true)
    assert.equal((await rates.take(burst('a'), 'token')).allowed, false)
  })

  rates('a clock that is set back blocks nobody for longer than a window', async (rates, clock) => {
    for (let i = 0; i < 4; i++) await rates.take(burst('a'))
    clock.forward(-3_600_000)
    assert.equal((await rates.take(burst('a'))).allowed, true)
  })
}
