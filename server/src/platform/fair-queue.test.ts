import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createFairQueue } from './fair-queue.js'

test('no more run at once than there are places, and holders take turns', async () => {
  const queue = createFairQueue({ atOnce: 2, waitingAtMost: 10 })
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
    ...['a1', 'a2', 'a3', 'a4', 'a5'].map((name) => queue.take('a', work(name))),
    queue.take('b', work('b1')),
    queue.take('c', work('c1')),
  ])
  assert.deepEqual(order, ['a1', 'a2', 'a3', 'b1', 'c1', 'a4', 'a5'])
})

test('who has too many waiting is refused, others are not; failed work gives its place back', async () => {
  const queue = createFairQueue({ atOnce: 1, waitingAtMost: 1 })
  let end = () => {}
  const first = queue.take('a', () => new Promise<void>((resolve) => (end = resolve)))
  const second = queue.take('a', async () => {
    throw new Error('broken')
  })
  await assert.rejects(
    queue.take('a', async () => {}),
    { status: 503 },
  )
  const other = queue.take('b', async () => 'done')
  end()
  await first
  await assert.rejects(second, /broken/)
  assert.equal(await other, 'done')
})
