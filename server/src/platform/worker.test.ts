import assert from 'node:assert/strict'
import { test } from 'node:test'
import { loop } from './worker.js'

const HOUR_MS = 3_600_000

/** A loop whose steps do what `steps` says, in order, and are woken while those do that have `woken`. */
function run(steps: { done: number; woken?: boolean }[], leaves?: (done: number) => boolean) {
  const rested: number[] = []
  let taken = 0
  let wake = () => {}
  const worker = loop({
    name: 'tested',
    every_ms: HOUR_MS,
    wake(listener) {
      wake = listener
      return () => {}
    },
    onError: assert.ifError,
    async step() {
      const { done, woken } = steps[taken] ?? { done: 0 }
      taken += 1
      if (woken) wake()
      return done
    },
    ...(leaves ? { leaves } : {}),
    rest(_took_ms, count) {
      rested.push(count)
      return 0
    },
  })
  return { worker, rested, taken: () => taken }
}

test('a step that left nothing is not followed by an empty one', async (t) => {
  const { worker, rested, taken } = run([{ done: 3 }], () => false)
  t.after(() => worker.stop(0))
  worker.start()
  assert.equal(await worker.drain(), 3)
  assert.equal(taken(), 2, 'the start and the call to drain')
  assert.deepEqual(rested, [1])
})

test('what comes during a step is taken by the next, whatever the step says', async (t) => {
  const { worker, rested, taken } = run(
    [{ done: 1 }, { done: 1, woken: true }, { done: 1, woken: true }, { done: 1 }],
    () => false,
  )
  t.after(() => worker.stop(0))
  worker.start()
  assert.equal(await worker.drain(), 4)
  assert.equal(taken(), 4)
  assert.deepEqual(rested, [1, 2, 3], 'each rest knows how many steps were before it')
})

test('without a word about it, a step that did work is followed by another', async (t) => {
  const { worker, taken } = run([{ done: 2 }, { done: 1 }])
  t.after(() => worker.stop(0))
  worker.start()
  assert.equal(await worker.drain(), 3)
  assert.equal(taken(), 3)
})

test('who drains a loop does not wait for its rests, and a stop in a rest does what is left', async () => {
  let waiting = 3
  const worker = loop({
    name: 'tested',
    every_ms: HOUR_MS,
    wake: () => () => {},
    onError: assert.ifError,
    async step() {
      const done = Math.min(waiting, 1)
      waiting -= done
      return done
    },
    rest: () => HOUR_MS,
    finishes: true,
  })
  worker.start()
  assert.equal(await worker.drain(), 3)
  waiting = 1
  const drained = worker.drain()
  assert.equal(await drained, 1)

  waiting = 2
  worker.start()
  await worker.stop(HOUR_MS)
  assert.equal(waiting, 0)
})
