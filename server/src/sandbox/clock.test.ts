import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { enqueueRecurring, startJobs } from '../platform/jobs/run.js'
import { HOUR_MS, MINUTE_MS } from '../platform/time.js'
import { world } from '../testing/world.js'
import { walkTo } from './clock.js'

test('housekeeping that runs while the clock is moved runs again at the end', async (t) => {
  const { ctx, clock } = await world(t)
  const began: number[] = []
  let release = () => {}
  const held = new Promise<void>((resolve) => {
    release = resolve
  })
  const handlers = {
    'test.sweep': {
      every_ms: 10 * MINUTE_MS,
      run: async () => {
        began.push(clock.now())
        if (began.length === 1) await held
      },
    },
  }
  const jobs = startJobs(ctx, handlers)
  clock.freeze(true)
  await enqueueRecurring(ctx, handlers)
  jobs.start()
  t.after(() => jobs.stop(1000))
  while (began.length === 0) await sleep(5)

  const start = clock.now()
  const moved = walkTo({ ctx, workers: [jobs], clock }, start + 2 * HOUR_MS)
  await sleep(300)
  release()
  await moved
  assert.deepEqual(began, [start, start + 2 * HOUR_MS])
})
