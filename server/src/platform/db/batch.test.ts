import assert from 'node:assert/strict'
import { test } from 'node:test'
import { microBatch } from './batch.js'

test('calls of one moment, and those that come while a batch runs, go together', async () => {
  const handed: number[][] = []
  let end = () => {}
  const ended = new Promise<void>((resolve) => {
    end = resolve
  })
  let begin = () => {}
  const begun = new Promise<void>((resolve) => {
    begin = resolve
  })
  const call = microBatch<number, number>(
    async (items) => {
      handed.push(items)
      begin()
      await ended
      return items.map((item) => item * 2)
    },
    { max: 3 },
  )
  const first = [call(1), call(2)]
  await begun
  const later = [call(3), call(4), call(5), call(6)]
  end()
  assert.deepEqual(await Promise.all([...first, ...later]), [2, 4, 6, 8, 10, 12])
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
