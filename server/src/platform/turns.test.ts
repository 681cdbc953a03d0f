import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTurns } from './turns.js'

test('no more run at once than there are places, and holders take turns', async () => {
  const turns = createTurns({ atOnce: 2, waitingAtMost: 10 })
  const order: string[] = []
  let running = 0
  const work = (name: string) => async () => {
    running += 1
    assert.ok(running <= 2)
    order.push(name)
    await new Promise(setImmediate)
    running -= 1
  }
  await Promise.all([
    ...['a1', 'a2', 'a3', 'a4', 'a5'].map((name) => turns.take('a', work(name))),
    turns.take('b', work('b1')),
    turns.take('c', work('c1')),
  ])
  assert.deepEqual(order, ['a1', 'a2', 'a3', 'b1', 'c1', 'a4', 'a5'])
})

test('who has too many waiting is refused, others are not; failed work gives its place back', async () => {
  const turns = createTurns({ atOnce: 1, waitingAtMost: 1 })
  let end = () => {}
  const first = turns.take('a', () => new Promise<void>((resolve) => (end = resolve)))
  const second = turns.take('a', async () => {
    throw new Error('broken')
  })
  await assert.rejects(
    turns.take('a', async () => {}),
    { status: 503 },
  )
  const other = turns.take('b', async () => 'done')
  end()
  await first
  await assert.rejects(second, /broken/)
  assert.equal(await other, 'done')
})
