import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { EventEmitter, once } from 'node:events'
import { type TestContext, test } from 'node:test'
import { Redis } from 'ioredis'
import { type Clock, systemClock } from '../clock.js'
import type { RateBucket, RateRule, Rates } from './rates.js'
import { createRedisRates, type RatesLog } from './redis.js'
import { createTestClock } from './testing-clock.js'
import { testRates } from './testing-conformance.js'
import { startRedis } from './testing-redis.js'

const QUIET: RatesLog = { info() {}, warn() {} }
const RULE: RateRule = { name: 'slow', limit: 3, window_ms: 60_000 }
const BUCKET: [RateBucket] = [{ rule: RULE, key: 'a' }]

/** A Redis that is there is waited for, however busy the machine is. */
const PATIENT_MS = 60_000

async function open(
  t: TestContext,
  clock: Clock,
  url: string,
  { log = QUIET, timeout_ms = PATIENT_MS }: { log?: RatesLog; timeout_ms?: number } = {},
): Promise<Rates> {
  const rates = await createRedisRates(clock, url, log, timeout_ms)
  t.after(() => rates.close())
  return rates
}

testRates('in Redis', async (t, clock) => {
  const redis = await startRedis(t)
  return redis && (await open(t, clock, redis.url))
})

test('processes share their windows and holds', async (t) => {
  const redis = await startRedis(t)
  if (!redis) return
  const clock = createTestClock()
  const [one, other] = [await open(t, clock, redis.url), await open(t, clock, redis.url)]

  for (const rates of [one, other, one]) assert.equal((await rates.take(BUCKET, 'token')).allowed, true)
  const verdicts = await Promise.all(
    Array.from({ length: 200 }, (_, i) => [one, other][i % 2]!.take(BUCKET, 'token')),
  )
  assert(verdicts.every(({ allowed, rule }) => !allowed && rule.name === 'slow'))

  assert.equal((await one.take(BUCKET, 'token')).rule.name, 'hold')
  assert.equal((await other.take(BUCKET, 'token')).rule.name, 'hold')
})

test('a race of processes lets through no more than the limit', async (t) => {
  const redis = await startRedis(t)
  if (!redis) return
  const many = await Promise.all(Array.from({ length: 4 }, () => open(t, systemClock, redis.url)))
  const verdicts = await Promise.all(Array.from({ length: 100 }, (_, i) => many[i % 4]!.take(BUCKET)))
  assert.equal(verdicts.filter(({ allowed }) => allowed).length, RULE.limit)
})

test('keys leave Redis by themselves', async (t) => {
  const redis = await startRedis(t)
  if (!redis) return
  const rates = await open(t, systemClock, redis.url)
  for (let i = 0; i < 300; i++) await rates.take(BUCKET, 'token')

  const direct = new Redis(redis.url)
  t.after(() => direct.disconnect())
  const keys = await direct.keys('*')
  assert(keys.length >= 2)
  for (const key of keys) assert((await direct.pttl(key)) > 0, key)
})

test('without Redis, rates are counted here, said once, and shared again when it is back', async (t) => {
  const redis = await startRedis(t)
  if (!redis) return
  const { log, said } = listeningLog()
  const clock = createTestClock()
  const rates = await open(t, clock, redis.url, { log })
  for (let i = 0; i < 3; i++) assert.equal((await rates.take(BUCKET)).allowed, true)

  await redis.kill()
  for (let i = 0; i < 3; i++)
    assert.equal((await rates.take(BUCKET)).allowed, true, 'windows of this process')
  for (let i = 0; i < 50; i++) assert.equal((await rates.take(BUCKET)).allowed, false)
  assert.deepEqual(
    said.map(({ level }) => level),
    ['warn'],
  )

  await redis.restart()
  await takeUntil(rates, log)
  assert.deepEqual(
    said.map(({ level }) => level),
    ['warn', 'info'],
  )
  await rates.take(BUCKET)
  const direct = new Redis(redis.url)
  t.after(() => direct.disconnect())
  assert.notDeepEqual(await direct.keys('*'), [])
})

test('a minute without Redis lets through no more than the limit for each process, and once more at its start', async (t) => {
  const redis = await startRedis(t)
  if (!redis) return
  const clock = createTestClock()
  const processes = [await open(t, clock, redis.url), await open(t, clock, redis.url)]
  const rule: RateRule = { name: 'fast', limit: 4, window_ms: 1_000 }
  /** How many of so many requests at once, spread over the processes, are let through. */
  const passed = async (requests = 20) => {
    const verdicts = await Promise.all(
      Array.from({ length: requests }, (_, n) => processes[n % 2]!.take([{ rule, key: 'a' }])),
    )
    return verdicts.filter(({ allowed }) => allowed).length
  }
  assert.equal(await passed(), rule.limit)

  await redis.kill()
  assert.equal(await passed(), 2 * rule.limit, 'what Redis had counted is not known here')
  for (let second = 0; second < 60; second++) {
    assert.equal(await passed(), 0, 'the window is full in every process')
    clock.forward(rule.window_ms)
    assert.equal(await passed(), 2 * rule.limit)
  }

  await redis.restart()
  for (const rates of processes) await takeUntilShared(rates, redis.url)
  clock.forward(rule.window_ms)
  assert.equal(await passed(), rule.limit)
})

test('a Redis that does not answer is left alone for a while', async (t) => {
  const redis = await startRedis(t)
  if (!redis) return
  const { log, said } = listeningLog()
  const rates = await open(t, createTestClock(), redis.url, { log, timeout_ms: 250 })
  await rates.take(BUCKET)

  redis.process.kill('SIGSTOP')
  assert.equal((await rates.take(BUCKET)).allowed, true)
  const before_ms = performance.now()
  for (let i = 0; i < 100; i++) await rates.take(BUCKET)
  // Each of them would wait for a quarter of a second.
  assert(performance.now() - before_ms < 10_000, 'nobody waits for it')

  redis.process.kill('SIGCONT')
  await takeUntil(rates, log)
  assert.deepEqual(
    said.map(({ level }) => level),
    ['warn', 'info'],
  )
})

test('a Redis that is away from the start is no reason not to start', async (t) => {
  const redis = await startRedis(t)
  if (!redis) return
  await redis.kill()
  const { log, said } = listeningLog()
  const rates = await open(t, createTestClock(), redis.url, { log })
  assert.deepEqual(
    said.map(({ level }) => level),
    ['warn'],
    'told at the start, and not by the first request',
  )

  for (let i = 0; i < 3; i++) assert.equal((await rates.take(BUCKET)).allowed, true)
  assert.equal((await rates.take(BUCKET)).allowed, false)

  await redis.restart()
  await takeUntil(rates, log)
})

type Said = { level: 'info' | 'warn'; message: string }

function listeningLog() {
  const said: Said[] = []
  const log = new (class extends EventEmitter implements RatesLog {
    info(message: string) {
      said.push({ level: 'info', message })
      this.emit('info')
    }
    warn(message: string) {
      said.push({ level: 'warn', message })
    }
  })()
  return { log, said }
}

/** Goes on taking until what this process counts is in Redis. */
async function takeUntilShared(rates: Rates, url: string) {
  const direct = new Redis(url)
  const key = randomUUID()
  while ((await direct.exists(`rates:by:${RULE.name}:${key}`)) === 0) await rates.take([{ rule: RULE, key }])
  direct.disconnect()
}

/** Goes on taking, as traffic would, until the log says that Redis is back. */
async function takeUntil(rates: Rates, log: EventEmitter) {
  let back = false
  const waiting = once(log, 'info', { signal: AbortSignal.timeout(20_000) }).finally(() => {
    back = true
  })
  while (!back) {
    await rates.take([{ rule: RULE, key: 'b' }])
    await new Promise((resolve) => setImmediate(resolve))
  }
  await waiting
}
