import assert from 'node:assert/strict'
import { test } from 'node:test'
import { WAITS_MS, waitAfter } from './schedule.js'
import { fails, stageWith } from './testing-deliveries.js'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS

test('a failed webhook is tried on the schedule, stamped anew with the same id, and given up after nine', async (t) => {
  const { said, drain, clock, receiver, log } = await stageWith(t, fails(500))
  await said('hello')
  await drain()
  for (const [index, wait_ms] of WAITS_MS.entries()) {
    assert.equal(receiver.requests.length, index + 1)
    clock.advance(wait_ms * 0.79)
    await drain()
    assert.equal(receiver.requests.length, index + 1, `attempt ${index + 2} came too soon`)
    clock.advance(wait_ms * 0.42)
    await drain()
  }
  assert.equal(receiver.requests.length, 9)
  clock.advance(48 * HOUR_MS)
  await drain()
  assert.equal(receiver.requests.length, 9)

  const ids = new Set(receiver.requests.map(({ headers }) => headers['webhook-id']))
  const stamps = new Set(receiver.requests.map(({ body }) => body.webhook_timestamp))
  const signatures = new Set(receiver.requests.map(({ headers }) => headers['service-signature']))
  assert.deepEqual([ids.size, stamps.size, signatures.size], [1, 9, 9])
  assert.equal(receiver.requests.at(-1)?.headers['parley-attempt'], '9')
  const [delivery] = await log()
  assert.equal(delivery?.state, 'failed')
  assert.equal(delivery?.next_attempt_at, null)
  assert.deepEqual(
    delivery?.attempts.map(({ number, status, error }) => ({ number, status, error })),
    Array.from({ length: 9 }, (_, index) => ({ number: index + 1, status: 500, error: null })),
  )
})

test('redirects are not followed, and a dropped connection or a refused one is a failure', async (t) => {
  const { said, drain, clock, receiver, log, ctx } = await stageWith(t, (_, response, count) => {
    if (count === 1) response.writeHead(302, { Location: '/elsewhere' }).end()
    else response.socket?.destroy()
  })
  await said('hello')
  await drain()
  clock.advance(12_001)
  await drain()
  await receiver.close()
  clock.advance(72_001)
  await drain()
  const [delivery] = await log()
  const [redirect, dropped, refused] = delivery?.attempts ?? []
  assert.deepEqual([redirect?.status, redirect?.error], [302, null])
  assert.match(String(dropped?.error), /^reset: /)
  assert.match(String(refused?.error), /^connect: /)
  assert.equal(delivery?.state, 'pending')
  assert.ok(new Date(String(delivery?.next_attempt_at)).getTime() > ctx.clock.now())
})

test('a receiver that asks for time gets it, up to twice the planned wait', async (t) => {
  let header = '15'
  const { said, drain, clock, receiver, log } = await stageWith(t, (_, response) => {
    response.writeHead(429, { 'Retry-After': header }).end()
  })
  await said('hello')
  await drain()
  const waits = async () => {
    const [delivery] = await log()
    return Math.round((new Date(String(delivery?.next_attempt_at)).getTime() - clock.now()) / 1000)
  }
  assert.equal(await waits(), 15)
  header = '86400'
  clock.advance(15_001)
  await drain()
  assert.equal(await waits(), 120)
  header = new Date(clock.now() + 120_000 + 400_000).toUTCString()
  clock.advance(120_001)
  await drain()
  assert.ok(Math.abs((await waits()) - 400) <= 1)
  assert.equal(receiver.requests.length, 3)
})

test('the schedule spreads by a fifth either way and never lets a receiver hurry', () => {
  assert.equal(
    waitAfter(1, undefined, () => 0),
    8_000,
  )
  assert.equal(
    waitAfter(1, undefined, () => 1),
    12_000,
  )
  assert.equal(
    waitAfter(1, 1_000, () => 0),
    8_000,
  )
  assert.equal(
    waitAfter(1, 19_000, () => 0),
    19_000,
  )
  assert.equal(
    waitAfter(8, undefined, () => 0.5),
    10 * HOUR_MS,
  )
  assert.equal(waitAfter(9), undefined)
})

test('the faults of the sandbox meet attempts instead of the network', async (t) => {
  const { said, drain, clock, receiver, ctx, log } = await stageWith(t)
  ctx.faults.set({ status: 503, count: 1 })
  await said('hello')
  await drain()
  ctx.faults.set({ timeout: true, count: 1 })
  clock.advance(12_001)
  await drain()
  ctx.faults.set({ drop: true, count: 1 })
  clock.advance(72_001)
  await drain()
  assert.equal(receiver.requests.length, 0)
  clock.advance(6 * MINUTE_MS)
  await drain()
  assert.equal(receiver.requests.length, 1)
  const [delivery] = await log()
  assert.deepEqual(
    delivery?.attempts.map(({ status, error }) => status ?? error?.split(':')[0]),
    [503, 'timeout', 'reset', 200],
  )
})
