import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { type TestContext, test } from 'node:test'
import { now } from '../platform/clock.js'
import type { AutocommitPool } from '../platform/db/index.js'
import { transaction } from '../platform/db/transaction.js'
import { world } from '../testing/world.js'
import { claimLanes } from './claim-queries.js'
import { insertDeliveries } from './queries.js'
import { settleAll } from './settle-queries.js'

const ROOM = { lanes: 10, addresses: new Map(), origins: new Map() }

test('a claim says whether lanes beyond those that it looked at may be free', async (t) => {
  const { bot, ctx, listen } = await world(t)
  await listen(bot, ['message_new'])
  const at = now(ctx.clock)
  await ctx.pool.query(
    'insert into delivery_lanes (bot_id, chat_id, due_at) select $1, n, $2 from generate_series(1, 6) n',
    [bot.id, at],
  )
  const claim = (lanes: number) =>
    claimLanes(ctx.pool, randomUUID(), at, { lanes, addresses: new Map(), origins: new Map() })
  const first = await claim(1)
  assert.deepEqual([first.lanes.length, first.more], [1, true])
  const rest = await claim(10)
  assert.deepEqual([rest.lanes.length, rest.more], [5, false])
  const none = await claim(10)
  assert.deepEqual([none.lanes.length, none.more], [0, false])
})

/** A lane with one delivery, and what takes part of it to pieces. */
async function laneOf(t: TestContext) {
  const { bot, ctx, office, listen } = await world(t)
  await listen(bot, ['message_new'])
  const at = now(ctx.clock)
  const add = (event_id: string) =>
    transaction(ctx, (tx) =>
      insertDeliveries(tx, [
        {
          bot_id: bot.id,
          endpoint_id: 0,
          chat_id: office.id,
          event_id,
          event_type: 'message_new',
          message_id: null,
          position: null,
          payload: '{}',
          created_at: at,
        },
      ]),
    )
  await add('first')
  const claim = async (pool: AutocommitPool = ctx.hot_pool) => {
    const [lane] = (await claimLanes(pool, randomUUID(), at, ROOM)).lanes
    assert(lane)
    return lane
  }
  const settle = async (lane: Awaited<ReturnType<typeof claim>>) => {
    const tried = { at, status: 200, duration_ms: 1, error: null }
    const outcome = { number: 1, next_attempt_at: null, steps_aside: false, tried }
    const settlements = lane.deliveries.map(({ id }) => ({
      delivery_id: id,
      state: 'delivered' as const,
      ...outcome,
    }))
    const next_id = (lane.deliveries.at(-1)?.id ?? 0) + 1
    await settleAll(ctx.hot_pool, [{ ...lane, due_at: null, next_id, settlements }], at)
  }
  const eventsOf = (lane: Awaited<ReturnType<typeof claim>>) =>
    lane.deliveries.map(({ event_id }) => event_id)
  return { ctx, add, claim, settle, eventsOf }
}

test('what joins a lane between the reading and the locking of a claim is sent next', async (t) => {
  const { ctx, add, claim, settle, eventsOf } = await laneOf(t)
  const [GATE, gate] = [4711, await ctx.pool.connect()]
  const slow = await ctx.hot_pool.connect()
  try {
    await ctx.pool.query(
      `create function wait_at_gate() returns trigger language plpgsql as $$ begin
         if current_setting('test.gate', true) = 'shut' then perform pg_advisory_xact_lock(${GATE}); end if;
         return null;
       end $$;
       create trigger gate before update on delivery_lanes for each statement execute function wait_at_gate()`,
    )
    await gate.query(`select pg_advisory_lock(${GATE})`)
    await slow.query(`set test.gate = 'shut'`)
    const claiming = claim(slow as unknown as AutocommitPool)
    const waits = `select exists (select from pg_locks where locktype = 'advisory' and objid = ${GATE} and not granted) as waits`
    while (!(await ctx.pool.query(waits)).rows[0].waits);
    await add('second')
    await gate.query(`select pg_advisory_unlock(${GATE})`)
    const lane = await claiming
    assert.deepEqual(eventsOf(lane), ['first'])
    await settle(lane)
    assert.deepEqual(eventsOf(await claim()), ['second'])
  } finally {
    slow.release(true)
    gate.release(true)
  }
})

test('a delivery with a lower id that joins a lane in flight is not passed over', async (t) => {
  const { ctx, add, claim, settle, eventsOf } = await laneOf(t)
  await add('second')
  const { rows } = await ctx.pool.query(
    `update deliveries set held_until = clock_timestamp() where event_id = 'first' returning id`,
  )
  const lane = await claim()
  assert.deepEqual(eventsOf(lane), ['second'])
  await ctx.pool.query(`update deliveries set held_until = null where id = $1`, [rows[0].id])
  await ctx.pool.query(`update delivery_lanes set version = version + 1, came_id = least(came_id, $1)`, [
    rows[0].id,
  ])
  await settle(lane)
  const next = await claim()
  assert.deepEqual(eventsOf(next), ['first'])
  await settle(next)
  assert.deepEqual((await ctx.pool.query('select from delivery_lanes')).rows, [])
})

test('a lane that a process of an earlier version added to is read from its start', async (t) => {
  const { ctx, add, claim, settle, eventsOf } = await laneOf(t)
  await add('second')
  await ctx.pool.query(`update delivery_lanes set came_id = null`)
  await ctx.pool.query(`update deliveries set held_until = clock_timestamp() where event_id = 'first'`)
  const lane = await claim()
  await ctx.pool.query(`update deliveries set held_until = null where event_id = 'first'`)
  await ctx.pool.query(`update delivery_lanes set version = version + 1`)
  await settle(lane)
  assert.deepEqual(eventsOf(await claim()), ['first'])
})

test('deliveries of equal content each keep their own chat', async (t) => {
  const { bot, ctx, office, news, listen } = await world(t)
  await listen(bot, ['message_new'])
  const event = {
    bot_id: bot.id,
    endpoint_id: 0,
    event_type: 'message_new',
    message_id: null,
    position: null,
  }
  const given = { ...event, payload: '{}', created_at: now(ctx.clock) }
  const made = [office.id, news.id].map((chat_id) => ({ ...given, chat_id, event_id: String(chat_id) }))
  await transaction(ctx, (tx) => insertDeliveries(tx, made))
  const { rows } = await ctx.pool.query('select chat_id, event_id from deliveries order by id')
  assert.deepEqual(
    rows,
    made.map(({ chat_id, event_id }) => ({ chat_id, event_id })),
  )
})
