import assert from 'node:assert/strict'
import { test } from 'node:test'
import { messagePinned } from '@parley/contract'
import { sql } from 'kysely'
import { type World, world } from '../../testing/world.js'
import type { Tx } from '../db/index.js'
import { LOCKS } from '../db/locks.js'
import { fixedPrimary } from '../db/primary.js'
import { transaction } from '../db/transaction.js'
import { openBell } from './bell.js'
import { emit } from './emit.js'
import { type EventReader, type RelayedEvent, startRelay } from './relay.js'

const actor = { user_id: 1 }
const tell = (tx: Tx, { ctx }: World, n: number) =>
  emit(tx, ctx, actor, messagePinned, { chat_id: 1, message_id: n })

const numbersOf = (events: readonly RelayedEvent[]) =>
  events.flatMap(({ type, payload }) => (type === 'message.pinned' ? [payload.message_id] : []))

function hearing(seen: number[]): EventReader {
  return async (_tx, events) => void seen.push(...numbersOf(events))
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

test('events get positions in the order of their ids, also by a plan from when there were none', async (t) => {
  const { ctx } = await world(t)
  const client = await ctx.pool.connect()
  t.after(() => client.release())
  const place = () => client.query('select place_events($1, true)', [LOCKS.place_events])
  await client.query('truncate events')
  await client.query('vacuum analyze events')
  await place()
  // The rows lie in the table from the last to the first.
  await client.query(`insert into events (id, type, chat_id, actor_id, payload, created_at) overriding system value
    select n, 'message.pinned', 1, 1, jsonb_build_object('chat_id', 1, 'message_id', n), now()
    from generate_series(1000010, 1000001, -1) n`)
  await place()
  const { rows } = await client.query('select id from events order by position')
  assert.deepEqual(
    rows.map(({ id }) => id),
    Array.from({ length: 10 }, (_, n) => 1_000_001 + n),
  )
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
    rows.map(({ payload }) => payload.message_id),
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
  const other = await openBell(
    fixedPrimary(scene.ctx.config.database_url as string),
    scene.ctx.pool,
    assert.ifError,
  )
  const heard = new Promise<void>((resolve) => {
    other.on('events', () => resolve())
  })
  await transaction(scene.ctx, (tx) => tell(tx, scene, 1))
  await heard
  await other.close()
})

test('what a process relays itself wakes no other, until it stops relaying', async (t) => {
  const { ctx } = await world(t)
  const url = fixedPrimary(ctx.config.database_url as string)
  const [here, there] = [
    await openBell(url, ctx.pool, assert.ifError),
    await openBell(url, ctx.pool, assert.ifError),
  ]
  t.after(() => Promise.all([here.close(), there.close()]))
  const heard: string[] = []
  there.on('events', () => heard.push('events'))
  /** Topics that are rung together come together. */
  const ring = async () => {
    const arrived = new Promise<void>((resolve) => {
      const unhook = there.on('relayed', () => {
        unhook()
        resolve()
      })
    })
    here.ring('events')
    here.ring('relayed')
    await arrived
  }
  const stop = here.serve('events', () => heard.push('served'))
  await ring()
  assert.deepEqual(heard, ['served'])
  stop()
  await ring()
  assert.deepEqual(heard, ['served', 'events'])
})

/** Drains until the relay has nothing left, whatever fails on the way. */
async function drainAgain(relay: ReturnType<typeof startRelay>): Promise<unknown[]> {
  const errors: unknown[] = []
  for (let idle = false; !idle; ) {
    try {
      idle = (await relay.drain()) === 0
    } catch (error) {
      errors.push(error)
    }
  }
  return errors
}

const setAsideIn = ({ ctx }: World) =>
  ctx.db.selectFrom('set_aside_events').select(['payload', 'attempts', 'reason']).orderBy('id').execute()

test('an event whose reader throws is set aside, and the rest goes on in order', async (t) => {
  const scene = await world(t)
  const seen: number[] = []
  const reader: EventReader = async (tx, events) => {
    if (numbersOf(events).includes(2)) throw new Error('cannot be read')
    await hearing(seen)(tx, events)
  }
  const relay = startRelay(scene.ctx, [reader], assert.ifError)
  await relay.drain()
  for (const n of [1, 2, 3, 4]) await transaction(scene.ctx, (tx) => tell(tx, scene, n))
  const errors = await drainAgain(relay)
  assert.deepEqual(seen, [1, 3, 4])
  assert.equal(errors.length, 3)
  assert.deepEqual(await setAsideIn(scene), [
    { payload: { chat_id: 1, message_id: 2 }, attempts: 2, reason: 'cannot be read' },
  ])
  assert.deepEqual(await scene.ctx.db.selectFrom('relay_suspects').selectAll().execute(), [])
  assert.match(await scene.ctx.metrics.registry.metrics(), /parley_events_set_aside_total 1/)

  await transaction(scene.ctx, (tx) => tell(tx, scene, 5))
  await relay.drain()
  assert.deepEqual(seen, [1, 3, 4, 5])
})

test('an event whose reader never ends is set aside, and its connection is closed', async (t) => {
  const scene = await world(t)
  const seen: number[] = []
  const reader: EventReader = async (tx, events) => {
    if (numbersOf(events).includes(1)) await new Promise(() => {})
    await hearing(seen)(tx, events)
  }
  for (const n of [1, 2]) await transaction(scene.ctx, (tx) => tell(tx, scene, n))
  // A new relay suspects its backlog, so that each event is tried alone, for a second.
  const errors = await drainAgain(startRelay(scene.ctx, [reader], assert.ifError))
  assert.deepEqual(seen, [2])
  assert.equal(errors.length, 3)
  const reason = 'the readers took longer than 1000 ms'
  assert.deepEqual(await setAsideIn(scene), [{ payload: { chat_id: 1, message_id: 1 }, attempts: 3, reason }])
})

test('an event whose reader ends after more than a second is set aside, and nothing of what it did stays', async (t) => {
  const scene = await world(t)
  const seen: number[] = []
  const reader: EventReader = async (tx, events) => {
    if (numbersOf(events).includes(2)) {
      await sql`update chats set name = 'changed'`.execute(tx)
      // Holds up the event loop, as a slow parser does.
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1_050)
    }
    await hearing(seen)(tx, events)
  }
  const relay = startRelay(scene.ctx, [reader], assert.ifError)
  await relay.drain()
  for (const n of [1, 2, 3]) await transaction(scene.ctx, (tx) => tell(tx, scene, n))
  const errors = await drainAgain(relay)
  assert.equal(errors.length, 4)
  const placed = await scene.ctx.db.selectFrom('events').select('payload').orderBy('position').execute()
  assert.deepEqual(
    placed.map(({ payload }) => payload.message_id),
    [1, 3],
  )
  const reason = 'the readers took longer than 1000 ms'
  assert.deepEqual(await setAsideIn(scene), [{ payload: { chat_id: 1, message_id: 2 }, attempts: 3, reason }])
  assert.match(await scene.ctx.metrics.registry.metrics(), /parley_events_set_aside_total 1/)
  const chats = await scene.ctx.db.selectFrom('chats').select('name').execute()
  assert.equal(JSON.stringify(chats).includes('changed'), false)
})

test('an event is not blamed for the time that the database takes', async (t) => {
  const scene = await world(t)
  const seen: number[] = []
  const reader: EventReader = async (tx, events) => {
    await sql`select pg_sleep(0.6)`.execute(tx)
    await sql`select pg_sleep(0.6)`.execute(tx)
    await hearing(seen)(tx, events)
  }
  await transaction(scene.ctx, (tx) => tell(tx, scene, 1))
  const errors = await drainAgain(startRelay(scene.ctx, [reader], assert.ifError))
  assert.deepEqual(errors, [])
  assert.deepEqual(seen, [1])
  assert.deepEqual(await setAsideIn(scene), [])
})

test('a database that goes away during a round is not blamed on an event', async (t) => {
  const scene = await world(t)
  const seen: number[] = []
  let failures = 4
  const reader: EventReader = async (tx, events) => {
    if (failures > 0) {
      failures -= 1
      await sql`select pg_terminate_backend(pg_backend_pid())`.execute(tx)
    }
    await hearing(seen)(tx, events)
  }
  await transaction(scene.ctx, (tx) => tell(tx, scene, 1))
  const errors = await drainAgain(startRelay(scene.ctx, [reader], assert.ifError))
  assert.equal(errors.length, 4)
  assert.deepEqual(seen, [1])
  assert.deepEqual(await setAsideIn(scene), [])
})
