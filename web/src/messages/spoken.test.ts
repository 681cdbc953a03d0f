import assert from 'node:assert/strict'
import { test } from 'node:test'
import { at, message } from '../testing/shapes.js'
import { arrived, createSpeech } from './spoken.js'
import type { Run } from './state.js'

const ME = 9
const run = (ids: readonly number[], more: Partial<Run> = {}): Run => ({
  messages: ids.map((id) => message(id)),
  has_older: true,
  has_newer: false,
  ...more,
})
const idsOf = (before: Run | undefined, now: Run) => arrived(before, now, ME).map(({ id }) => id)

test('what others write at the newest end arrives, and history does not', () => {
  assert.deepEqual(idsOf(run([4, 5]), run([4, 5, 6, 7])), [6, 7])
  assert.deepEqual(idsOf(run([]), run([1])), [1])
  assert.deepEqual(idsOf(undefined, run([4, 5])), [])
  assert.deepEqual(idsOf(run([4, 5]), run([2, 3, 4, 5])), [])
  assert.deepEqual(idsOf(run([4, 5], { has_newer: true }), run([4, 5, 6])), [])
  assert.deepEqual(idsOf(run([4, 5], { stale: true }), run([4, 5, 6])), [])
  const messages = [
    message(6, { user_id: ME }),
    message(7, { system: true }),
    message(8, { deleted_at: at(9) }),
    message(9),
  ]
  assert.deepEqual(idsOf(run([5]), run([], { messages: [message(5), ...messages] })), [9])
})

test('one message is said at once, and several that follow it together', (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const said: number[][] = []
  const speech = createSpeech((messages) => said.push(messages.map(({ id }) => id)))
  const take = () => said.splice(0)
  speech.add([])
  assert.deepEqual(take(), [])
  speech.add([message(1)])
  assert.deepEqual(take(), [[1]])
  speech.add([message(2)])
  speech.add([message(3), message(4)])
  t.mock.timers.tick(2999)
  assert.deepEqual(take(), [])
  t.mock.timers.tick(1)
  assert.deepEqual(take(), [[2, 3, 4]])
  t.mock.timers.tick(3000)
  assert.deepEqual(take(), [[]])
  t.mock.timers.tick(3000)
  speech.add([message(5)])
  assert.deepEqual(take(), [[5]])
  speech.add([message(6)])
  speech.close()
  t.mock.timers.tick(3000)
  assert.deepEqual(take(), [])
})
