import assert from 'node:assert/strict'
import { test } from 'node:test'
import { job } from '@parley/contract'
import { Type } from 'typebox'
import { type World, world } from '../../testing/world.js'
import { transaction } from '../db/transaction.js'
import type { Worker } from '../worker.js'
import { enqueue, type JobOptions } from './enqueue.js'
import { enqueueRecurring, type JobHandlers, startJobs } from './run.js'

const kindOf = <const K extends string>(kind: K) =>
  job(kind, Type.Object({ n: Type.Optional(Type.Integer()) }), 'For a test.')
type TestJob<K extends string> = JobHandlers<ReturnType<typeof kindOf<K>>>

interface Added extends JobOptions {
  kind: string
  payload: { n?: number }
}

const add = ({ ctx }: World, { kind, payload, ...options }: Added) =>
  transaction(ctx, (tx) => enqueue(tx, ctx, kindOf(kind), payload, options))

test('a job commits with its reason or not at all', async (t) => {
  const scene = await world(t)
  const done: unknown[] = []
  const handlers: TestJob<'test.note'> = {
    'test.note': { run: async ({ payload }) => void done.push(payload.n) },
  }
  const jobs = startJobs(scene.ctx, handlers)
  await add(scene, { kind: 'test.note', payload: { n: 1 } })
  const failed = transaction(scene.ctx, async (tx) => {
    await enqueue(tx, scene.ctx, kindOf('test.note'), { n: 2 })
    throw new Error('the reason went away')
  })
  await assert.rejects(failed, /went away/)
  await jobs.drain()
  assert.deepEqual(done, [1])
})

test('a job waits for its time, and the clock may jump', async (t) => {
  const scene = await world(t)
  const { clock } = scene
  let runs = 0
  const jobs = startJobs(scene.ctx, {
    'test.later': {
      run: async () => {
        runs += 1
      },
    },
  })
  await add(scene, { kind: 'test.later', payload: {}, run_at: new Date(clock.now() + 3_600_000) })
  await jobs.drain()
  assert.equal(runs, 0)
  clock.advance(3_600_001)
  await jobs.drain()
  assert.equal(runs, 1)
  await jobs.drain()
  assert.equal(runs, 1)
})

test('a failing job is tried again later and kept when it gives up', async (t) => {
  const scene = await world(t)
  const { clock, ctx } = scene
  let runs = 0
  const run = async () => {
    runs += 1
    throw new Error(`attempt ${runs}`)
  }
  const jobs = startJobs(ctx, { 'test.fail': { run, retries_ms: [1000, 2000] } })
  await add(scene, { kind: 'test.fail', payload: {} })
  for (const wait_ms of [0, 1000, 2000, 100_000]) {
    clock.advance(wait_ms)
    await jobs.drain()
  }
  assert.equal(runs, 3)
  const row = await ctx.db
    .selectFrom('jobs')
    .selectAll()
    .where('kind', '=', 'test.fail')
    .executeTakeFirstOrThrow()
  assert.ok(row.failed_at)
  assert.match(row.last_error ?? '', /attempt 3/)
  const counted = await ctx.metrics.jobs.get()
  const failures = counted.values.filter(({ labels }) => labels.kind === 'test.fail')
  assert.deepEqual(
    failures.map(({ labels, value }) => [labels.result, value]),
    [['failed', 3]],
  )
})

test('of two waiting jobs with one key the second is dropped', async (t) => {
  const scene = await world(t)
  let runs = 0
  const jobs = startJobs(scene.ctx, {
    'test.once': {
      run: async () => {
        runs += 1
      },
    },
  })
  await add(scene, { kind: 'test.once', payload: {}, key: 'same' })
  await add(scene, { kind: 'test.once', payload: {}, key: 'same' })
  await jobs.drain()
  assert.equal(runs, 1)
})

test('two processes share the queue without doing a thing twice', async (t) => {
  const scene = await world(t)
  const runs = new Map<number, number>()
  const handlers: TestJob<'test.share'> = {
    'test.share': {
      run: async ({ payload }) => {
        const { n = 0 } = payload
        runs.set(n, (runs.get(n) ?? 0) + 1)
      },
    },
  }
  const workers: Worker[] = [
    startJobs(scene.ctx, handlers),
    startJobs(scene.ctx, handlers),
    startJobs(scene.ctx, handlers),
  ]
  for (let n = 0; n < 200; n += 1) await add(scene, { kind: 'test.share', payload: { n } })
  await Promise.all(workers.map((worker) => worker.drain()))
  assert.equal(runs.size, 200)
  assert.ok([...runs.values()].every((count) => count === 1))
})

test('a recurring job is planted once and comes back', async (t) => {
  const scene = await world(t)
  const { ctx, clock } = scene
  let runs = 0
  const handlers: TestJob<'test.tick'> = {
    'test.tick': {
      every_ms: 60_000,
      run: async () => {
        runs += 1
      },
    },
  }
  await Promise.all([enqueueRecurring(ctx, handlers), enqueueRecurring(ctx, handlers)])
  const jobs = startJobs(ctx, handlers)
  await jobs.drain()
  assert.equal(runs, 1)
  clock.advance(60_001)
  await jobs.drain()
  assert.equal(runs, 2)
})

test('a job whose process died is taken over when its lease ends', async (t) => {
  const scene = await world(t)
  const { ctx } = scene
  let runs = 0
  await add(scene, { kind: 'test.lease', payload: {} })
  await ctx.db
    .updateTable('jobs')
    .set({ locked_until: new Date(Date.now() + 60_000), attempts: 1 })
    .where('kind', '=', 'test.lease')
    .execute()
  const jobs = startJobs(ctx, {
    'test.lease': {
      run: async () => {
        runs += 1
      },
    },
  })
  await jobs.drain()
  assert.equal(runs, 0)
  await ctx.db
    .updateTable('jobs')
    .set({ locked_until: new Date(0) })
    .where('kind', '=', 'test.lease')
    .execute()
  await jobs.drain()
  assert.equal(runs, 1)
})
