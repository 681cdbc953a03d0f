import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createPace } from './pace.js'

/** Every turn of the clock goes by without waiting for it. */
function pacing(t: import('node:test').TestContext) {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  let now = 0
  const taken: { at: number; items: readonly number[] }[] = []
  const pace = createPace<number>(
    (items) => taken.push({ at: now, items }),
    () => now,
  )
  const pass = (ms: number) => {
    for (let n = 0; n < ms; n += 1) {
      now += 1
      t.mock.timers.tick(1)
    }
  }
  return { pace, taken, pass }
}

test('what comes now and then is taken at once', (t) => {
  const { pace, taken, pass } = pacing(t)
  for (const item of [1, 2, 3, 4]) {
    pace.add(item)
    pass(100)
  }
  assert.deepEqual(
    taken.map(({ at, items }) => [at, ...items]),
    [
      [0, 1],
      [100, 2],
      [200, 3],
      [300, 4],
    ],
  )
})

test('what comes fifty times a second is taken some at a time, each once and in order', (t) => {
  const { pace, taken, pass } = pacing(t)
  for (let item = 0; item < 50; item += 1) {
    pace.add(item)
    pass(20)
  }
  pass(50)
  assert.deepEqual(
    taken.flatMap(({ items }) => items),
    Array.from({ length: 50 }, (_, item) => item),
  )
  assert.ok(taken.length <= 25, `${taken.length} times`)
})

test('a flush takes what waits, and nothing is taken after the end', (t) => {
  const { pace, taken, pass } = pacing(t)
  for (const item of [1, 2, 3, 4, 5]) pace.add(item)
  assert.equal(taken.length, 3)
  pace.flush()
  assert.deepEqual(taken.at(-1)?.items, [4, 5])
  pace.add(6)
  pace.close()
  pass(100)
  assert.equal(taken.length, 4)
})
