import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type World, world } from '../../testing/world.js'
import type { Tx } from '../db/index.js'
import { transaction } from '../db/transaction.js'
import { emit } from './emit.js'
import { type EventReader, startRelay } from './relay.js'

const actor = { user_id: 1 }
const tell = (tx: Tx, { ctx }: World, n: number) =>
  emit(tx, ctx, actor, { type: 'test.told', chat_id: 1, payload: { n } })

function hearing(seen: number[]): EventReader {
  return async (_tx, events) => void seen.push(...events.map(({ payload }) => payload.n as number))
}

test('an event is told once it has committed, and never when it has not', async (t) => {
  const scene = await world(t)
  const seen: number[] = []
  const relay = startRelay(scene.ctx, [hearing(seen)], assert.ifError)
  await transaction(scene.ctx, (tx) => tell(tx, scene, 1))
  await assert.rejects(
    transaction(scene.ctx, async (tx) => {
      await tell(tx, scene, 2)
      throw new Error('undone')
    }),
  )
  await relay.drain()
  await relay.drain()
  assert.deepEqual(seen, [1])
})

test('a slow transaction does not hide its events: those that commit late are placed late', async (t) => {
  const scene = await world(t)
  const seen: number[] = []
  const relay = startRelay(scene.ctx, [hearing(seen)], assert.ifError)
  let finish: () => void = () => {}
  const gate = new Promise<void>((resolve) => {
    finish = resolve
  })
  let started: () => void = () => {}
  const told = new Promise<void>((resolve) => {
    started = resolve
  })
  const slow = transaction(scene.ctx, async (tx) => {
    await tell(tx, scene, 1)
    started()
    await gate
  })
  await told
  await transaction(scene.ctx, (tx) => tell(tx, scene, 2))
  await relay.drain()
  assert.deepEqual(seen, [2])
  finish()
  await slow
  await relay.drain()
  assert.deepEqual(seen, [2, 1])
  const rows = await scene.ctx.db
    .selectFrom('events')
    .select(['position', 'payload'])
    .orderBy('position')
    .execute()
  assert.deepEqual(
    rows.map(({ payload }) => payload.n),
    [2, 1],
  )
})

test('a reader that fails leaves the events waiting for the next turn', async (t) => {
  const scene = await world(t)
  let fail = true
  const seen: number[] = []
  const errors: unknown[] = []
  const reader: EventReader = async (tx, events) => {
    if (fail) throw new Error('not now')
    await hearing(seen)(tx, events)
  }
  const relay = startRelay(scene.ctx, [reader], (error) => errors.push(error))
  await transaction(scene.ctx, (tx) => tell(tx, scene, 1))
  await relay.drain().catch((error) => errors.push(error))
  assert.equal(errors.length, 1)
  fail = false
  await relay.drain()
  assert.deepEqual(seen, [1])
})

test('three relays at once place every event exactly once and keep the order of a chat', async (t) => {
  const scene = await world(t)
  const seen: number[] = []
  const relays = [1, 2, 3].map(() => startRelay(scene.ctx, [hearing(seen)], assert.ifError))
  for (const relay of relays) relay.start()
  for (let n = 0; n < 300; n += 1) await transaction(scene.ctx, (tx) => tell(tx, scene, n))
  while (seen.length < 300)
    await new Promise((resolve) => scene.ctx.bell.on('relayed', () => resolve(undefined)))
  for (const relay of relays) await relay.stop(1000)
  assert.deepEqual(seen, [...Array(300).keys()])
})

test('a process hears the bell of another one', async (t) => {
  const scene = await world(t)
  const { openBell } = await import('./bell.js')
  const other = await openBell(scene.ctx.config.database_url as string, scene.ctx.pool, assert.ifError)
  const heard = new Promise<void>((resolve) => {
    other.on('events', resolve)
  })
  await transaction(scene.ctx, (tx) => tell(tx, scene, 1))
  await heard
  await other.close()
})
