import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { now } from '../platform/clock.js'
import { world } from '../testing/world.js'
import { claimLanes } from './claim-queries.js'

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
