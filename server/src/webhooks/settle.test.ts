import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { now } from '../platform/clock.js'
import type { AutocommitPool } from '../platform/db/index.js'
import { type World, world } from '../testing/world.js'
import { claimLanes } from './claim-queries.js'
import { settleAll } from './settle-queries.js'

const WAITING = 300
/** Deliveries that are done, and how many of them there are when plans are made. */
const DONE = 3000
const FIRST = 20

/** Deliveries that are done. */
const addDone = ({ ctx, bot }: World, at: Date, count: number) =>
  ctx.pool.query(
    `insert into deliveries (bot_id, chat_id, event_id, event_type, payload, state, created_at)
     select $1, 0, 'event', 'message_new', '{}', 'delivered', $2 from generate_series(1, ${count})`,
    [bot.id, at],
  )

/** Fills tables; the database looks at the lanes while nobody sees them, or then. */
async function fill(w: World, at: Date, looked: string) {
  const { ctx, bot } = w
  await addDone(w, at, DONE - FIRST)
  // The database last looked at the deliveries when none of them waited, or when there were few.
  if (looked !== 'never') await ctx.pool.query('analyze deliveries')
  const client = await ctx.pool.connect()
  try {
    await client.query('begin')
    await client.query(
      `with made as (
         insert into deliveries (bot_id, chat_id, event_id, event_type, payload, state, created_at)
         select $1, n, 'event', 'message_new', '{}', 'pending', $2 from generate_series(1, ${WAITING}) n
         returning bot_id, chat_id)
       insert into delivery_lanes (bot_id, chat_id, due_at) select bot_id, chat_id, $2 from made`,
      [bot.id, at],
    )
    if (looked === 'when none waited') await ctx.pool.query('analyze delivery_lanes')
    await client.query('commit')
  } finally {
    client.release()
  }
  if (looked === 'when all waited') await ctx.pool.query('analyze delivery_lanes')
}

for (const looked of ['never', 'when none waited', 'when all waited']) {
  test(`claiming and settling a lane reads none of what waits in others, looked at ${looked}`, async (t) => {
    const w = await world(t)
    await w.listen(w.bot, ['message_new'])
    const at = now(w.clock)
    // Rows of this test alone, not even dead ones beside them.
    await w.ctx.pool.query('truncate deliveries, delivery_lanes')
    const client = await w.ctx.hot_pool.connect()
    try {
      const pool = client as unknown as AutocommitPool
      const room = { lanes: 1, addresses: new Map(), origins: new Map() }
      await addDone(w, at, FIRST)
      await w.ctx.pool.query('analyze deliveries')
      // Plans are made with the first use, and kept.
      await claimLanes(pool, randomUUID(), at, room)
      await settleAll(pool, [], at)
      await fill(w, at, looked)
      await client.query('begin')
      const read = async () => {
        const { rows } = await client.query(
          `select sum(pg_stat_get_xact_tuples_returned(indexrelid)) as entries from pg_index
           where indrelid in ('deliveries'::regclass, 'delivery_lanes'::regclass)`,
        )
        return Number(rows[0].entries)
      }
      const before = await read()
      const worker_id = randomUUID()
      const [lane] = (await claimLanes(pool, worker_id, at, room)).lanes
      assert(lane)
      const tried = { at, status: 200, duration_ms: 1, error: null }
      const outcome = {
        number: 1,
        state: 'delivered' as const,
        next_attempt_at: null,
        steps_aside: false,
        tried,
      }
      const settlements = lane.deliveries.map(({ id }) => ({ delivery_id: id, ...outcome }))
      await settleAll(pool, [{ ...lane, due_at: null, next_id: null, settlements }], at)
      const entries = (await read()) - before
      assert(
        entries > 0 && entries <= 16,
        `${entries} index entries were read for one delivery of ${WAITING}`,
      )
      const { rows } = await client.query('select state, count(*)::int from deliveries group by 1 order by 1')
      assert.deepEqual(rows, [
        { state: 'delivered', count: DONE + 1 },
        { state: 'pending', count: WAITING - 1 },
      ])
    } finally {
      await client.query('rollback')
      client.release()
    }
  })
}
