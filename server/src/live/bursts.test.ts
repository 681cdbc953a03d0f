import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createBursts } from './bursts.js'

test('the first change is handed over at once, later ones together after the pause, the last of each key', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const turn = () => new Promise<void>((resolve) => setImmediate(resolve))
  const sent: string[][] = []
  const changed = createBursts<string>(
    (text) => Number(text[0]),
    async (texts) => void sent.push(texts),
    () => 100,
  )
  changed('1 active')
  assert.deepEqual(sent, [['1 active']])
  for (const text of ['2 active', '3 active', '2 away']) changed(text)
  await turn()
  t.mock.timers.tick(99)
  assert.equal(sent.length, 1)
  t.mock.timers.tick(1)
  assert.deepEqual(sent.slice(1), [['2 away', '3 active']])
  await turn()
  t.mock.timers.tick(100)
  changed('1 away')
  assert.deepEqual(sent.slice(2), [['1 away']])
})
