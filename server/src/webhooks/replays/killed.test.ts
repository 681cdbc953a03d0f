import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import * as api from '@parley/contract'
import { startReceiver } from '../../testing/receiver.js'
import { spawnWorker } from '../../testing/spawn-worker.js'
import { world } from '../../testing/world.js'

const MESSAGES = 60

test('a replay whose process is killed sends each event once more, in order, and then ends', async (t) => {
  const stage = await world(t)
  const { ctx, alice, bot, office, news, clock, drain } = stage
  const heard: { id: string; chat_id: number; content: string }[] = []
  const receiver = await startReceiver(({ headers, body }, response) => {
    if (headers['parley-replay'])
      heard.push({
        id: String(headers['webhook-id']),
        chat_id: body.chat_id as number,
        content: String(body.content),
      })
    response.writeHead(200).end()
  })
  t.after(() => receiver.close())
  await alice.call(api.addChatMembers, { params: { id: news.id }, body: { member_ids: [bot.id] } })
  await ctx.db
    .updateTable('bots')
    .set({ events: ['message_new'], outgoing_url: receiver.url })
    .execute()
  const from = new Date(clock.now() - 60_000).toISOString()
  for (let number = 0; number < MESSAGES; number += 1) {
    const entity_id = number % 3 === 0 ? news.id : office.id
    await alice.call(api.createMessage, { body: { message: { entity_id, content: String(number) } } })
  }
  await drain()

  const params = { id: bot.id }
  const { data: plan } = await alice.call(api.planReplay, { params, body: { from } })
  const { data: replay } = await alice.call(api.createReplay, { params, body: { from } })
  assert.deepEqual([plan.total, replay.total], [MESSAGES, MESSAGES])
  const worker = await spawnWorker(t, stage, { PARLEY_OUTBOUND_ALLOW: '127.0.0.1' })
  const deadline = Date.now() + 60_000
  while (heard.length < 5) {
    assert.ok(Date.now() < deadline, 'nothing was sent again')
    await wait(20)
  }
  await worker.kill()
  assert.ok(heard.length < MESSAGES, 'it was killed in the middle')

  // The leases of the dead process run out by the clock of the database.
  await ctx.pool.query(`update delivery_workers set alive_until = clock_timestamp() - interval '1 second'`)
  await ctx.pool.query('update jobs set locked_until = null')
  for (let second = 0; second < 120; second += 20) {
    clock.advance(20_000)
    await drain()
  }
  const { data: ended } = await alice.call(api.getReplay, { params: { ...params, replay_id: replay.id } })
  assert.deepEqual([ended.state, ended.done, ended.failed], ['finished', MESSAGES, 0])
  const log = await ctx.db
    .selectFrom('deliveries')
    .select('event_id')
    .where('replay_id', '=', replay.id)
    .execute()
  assert.equal(log.length, MESSAGES)
  assert.equal(new Set(log.map(({ event_id }) => event_id)).size, MESSAGES)
  for (const chat of [office, news]) {
    const first = new Map(
      heard.filter(({ chat_id }) => chat_id === chat.id).map(({ id, content }) => [id, Number(content)]),
    )
    const numbers = [...first.values()]
    assert.deepEqual(
      numbers,
      numbers.toSorted((a, b) => a - b),
    )
  }
  assert.equal(new Set(heard.map(({ id }) => id)).size, MESSAGES)
})
