import assert from 'node:assert/strict'
import { test } from 'node:test'
import { redeliver } from '@parley/contract'
import { startDeliveries } from './deliver.js'
import { WAITS_MS } from './schedule.js'
import { manyChats, stageWith } from './testing-deliveries.js'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS

test('a later event of the chat waits for an earlier one; other chats do not', async (t) => {
  let broken = true
  const { said, drain, clock, contents, ctx, bot, news } = await stageWith(t, ({ body }, response) => {
    response.writeHead(broken && body.content === 'one' ? 503 : 200).end()
  })
  await ctx.db
    .insertInto('chat_members')
    .values({ chat_id: news.id, user_id: bot.id, role: 'member', joined_at: new Date() })
    .execute()
  await said('one')
  await said('two')
  await said('elsewhere', news.id)
  await said('three')
  await drain()
  assert.deepEqual(contents().sort(), ['elsewhere', 'one'])
  broken = false
  clock.advance(12_001)
  await drain()
  assert.deepEqual(contents().slice(2), ['one', 'two', 'three'])
})

test('an event that its receiver refuses steps aside after six minutes, is retried alone, and comes late', async (t) => {
  let broken = true
  const { said, drain, clock, contents, receiver, ctx } = await stageWith(t, ({ body }, response) => {
    response.writeHead(broken && body.content === 'bad' ? 400 : 204).end()
  })
  await said('bad')
  await said('one')
  await said('two')
  await drain()
  for (const wait_ms of WAITS_MS.slice(0, 3)) {
    assert.ok(!contents().includes('one'))
    clock.advance(wait_ms * 1.21)
    await drain()
  }
  assert.deepEqual(contents(), ['bad', 'bad', 'bad', 'bad', 'one', 'two'])
  await said('three')
  await drain()
  clock.advance(31 * MINUTE_MS * 1.2)
  await drain()
  broken = false
  clock.advance(2 * HOUR_MS * 1.21)
  await drain()
  assert.deepEqual(contents().slice(6), ['three', 'bad', 'bad'])
  const late = receiver.requests.map(({ headers }) => headers['parley-late'])
  assert.deepEqual(
    late.map((value) => value === 'true'),
    [false, false, false, false, false, false, false, true, true],
  )
  assert.deepEqual(await ctx.db.selectFrom('delivery_lanes').selectAll().execute(), [])
})

test('several events that are refused each wait alone, are given up after nine attempts, and can be sent again', async (t) => {
  let broken = true
  const stage = await stageWith(t, ({ body }, response) => {
    response.writeHead(broken && body.content !== 'good' ? 500 : 204).end()
  })
  const { said, drain, clock, contents, log, alice, bot, ctx } = stage
  for (const content of ['bad', 'worse', 'good']) await said(content)
  await drain()
  for (const wait_ms of [...WAITS_MS.slice(0, 3), ...WAITS_MS]) {
    clock.advance(wait_ms * 1.21)
    await drain()
  }
  const told = contents()
  assert.equal(told.filter((content) => content === 'bad').length, 9)
  assert.equal(told.filter((content) => content === 'worse').length, 9)
  assert.ok(told.indexOf('good') > told.indexOf('worse') && told.indexOf('good') < told.lastIndexOf('bad'))
  assert.deepEqual(await ctx.db.selectFrom('delivery_lanes').selectAll().execute(), [])
  broken = false
  const failed = await log({ state: 'failed' })
  assert.equal(failed.length, 2)
  for (const { id: delivery_id } of failed)
    await alice.call(redeliver, { params: { id: bot.id, delivery_id } })
  await drain()
  assert.deepEqual(contents().slice(told.length).sort(), ['bad', 'worse'])
})

test('where nothing answers at all, everything waits in order', async (t) => {
  let broken = true
  const { said, drain, clock, contents } = await stageWith(t, (_, response) => {
    if (broken) response.socket?.destroy()
    else response.end()
  })
  await said('one')
  await said('two')
  await drain()
  for (const wait_ms of WAITS_MS.slice(0, 5)) {
    clock.advance(wait_ms * 1.21)
    await drain()
  }
  assert.deepEqual([...new Set(contents())], ['one'])
  broken = false
  clock.advance(5 * HOUR_MS * 1.21)
  await drain()
  assert.deepEqual(contents().slice(-2), ['one', 'two'])
})

test('two processes send nothing twice and keep the order of every chat', async (t) => {
  const stage = await stageWith(t)
  const { said, drain, receiver, ctx, server } = stage
  const chats = await manyChats(stage, 8)
  const relay = server.workers.find(({ name }) => name === 'relay')
  for (let index = 0; index < 10; index += 1) for (const chat of chats) await said(`${index}`, chat)
  await relay?.drain()
  await Promise.all([startDeliveries(ctx).drain(), startDeliveries(ctx).drain(), drain()])
  assert.equal(receiver.requests.length, 80)
  for (const chat of chats) {
    const told = receiver.requests.filter(({ body }) => body.chat_id === chat).map(({ body }) => body.content)
    assert.deepEqual(told, ['0', '1', '2', '3', '4', '5', '6', '7', '8', '9'])
  }
  assert.deepEqual(await ctx.db.selectFrom('delivery_lanes').selectAll().execute(), [])
})

test('what a living process has taken is left to it; once it is dead, another one goes on', async (t) => {
  const { said, drain, receiver, ctx, server } = await stageWith(t)
  await said('hello')
  const relay = server.workers.find(({ name }) => name === 'relay')
  await relay?.drain()
  const other = '00000000-0000-4000-8000-000000000001'
  await ctx.pool.query("insert into delivery_workers values ($1, clock_timestamp() + interval '1 hour')", [
    other,
  ])
  await ctx.pool.query('update delivery_lanes set worker_id = $1', [other])
  await drain()
  assert.equal(receiver.requests.length, 0)
  await ctx.pool.query('update delivery_workers set alive_until = clock_timestamp() where id = $1', [other])
  await drain()
  assert.equal(receiver.requests.length, 1)
})
