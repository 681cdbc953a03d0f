import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { microBatch } from './batch.js'

/** A batch that notes what it was handed over together, and takes as long as it is told. */
function noting(options: { max: number }, takes_ms = 0) {
  const handed: number[][] = []
  const call = microBatch<number, number>(async (items) => {
    handed.push(items)
    await sleep(takes_ms)
    return items.map((item) => item * 2)
  }, options)
  return { handed, call }
}

test('calls of one moment, and those that come while a batch runs, go together', async () => {
  const { handed, call } = noting({ max: 3 }, 20)
  const first = [call(1), call(2)]
  await sleep(5)
  assert.deepEqual(await Promise.all([...first, call(3), call(4), call(5), call(6)]), [2, 4, 6, 8, 10, 12])
  assert.deepEqual(handed, [[1, 2], [3, 4, 5], [6]])
})

test('one that fails fails for its own callers alone', async () => {
  let runs = 0
  const call = microBatch<number, number>(
    async (items) => {
      runs += 1
      if (items.includes(1)) throw new Error('refused')
      return items
    },
    { max: 1 },
  )
  const outcomes = await Promise.allSettled([call(1), call(2)])
  assert.deepEqual(
    outcomes.map(({ status }) => status),
    ['rejected', 'fulfilled'],
  )
  assert.equal(runs, 2)
})
