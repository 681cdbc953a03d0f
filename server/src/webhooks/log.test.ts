import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  deleteWebhookEvent,
  listDeliveries,
  listWebhookEvents,
  redeliver,
  redeliverRange,
  resumeWebhook,
} from '@parley/contract'
import { type Person, world } from '../testing/world.js'
import { say } from './testing-events.js'

const refused = { status: 403, code: 'not_authorized' }
const DAY_MS = 24 * 3_600_000

async function stageOf(t: Parameters<typeof world>[0]) {
  const stage = await world(t)
  const hook = await stage.listen(stage.bot, ['message_new'])
  const said = (content: string) =>
    say(stage.ctx, { chat_id: stage.office.id, user_id: stage.alice.id, content })
  const log = (query: object = {}) =>
    stage.alice.call(listDeliveries, { params: { id: stage.bot.id }, query })
  const queue = (query: object = {}) => stage.bot.call(listWebhookEvents, { query })
  const history = (events_history_enabled: boolean) =>
    stage.ctx.db.updateTable('bots').set({ events_history_enabled }).execute()
  return { ...stage, hook, said, log, queue, history }
}

test('the log shows a delivery with its attempts, for those who may edit the bot', async (t) => {
  const { said, drain, log, hook, office, bob, owner, bot } = await stageOf(t)
  const id = await said('hello')
  await drain()
  const { data } = await log()
  const [delivery] = data
  assert.equal(data.length, 1)
  assert.equal(delivery?.state, 'delivered')
  assert.equal(delivery?.event_type, 'message_new')
  assert.equal(delivery?.chat_id, office.id)
  assert.equal(delivery?.event_id, hook.requests[0]?.headers['webhook-id'])
  assert.deepEqual(delivery?.payload, hook.received[0])
  assert.equal(hook.received[0]?.id, id)
  const [attempt] = delivery?.attempts ?? []
  assert.deepEqual(
    { ...attempt, at: 0, duration_ms: 0 },
    { number: 1, at: 0, status: 200, duration_ms: 0, error: null, error_code: null },
  )
  for (const person of [bob, owner])
    await assert.rejects(person.call(listDeliveries, { params: { id: bot.id } }), refused)
  await assert.rejects(bob.call(listDeliveries, { params: { id: 9999 } }), { status: 404, code: 'not_found' })
})

test('the log is filtered by state and time and paged, newest first', async (t) => {
  const { said, drain, log, clock, ctx } = await stageOf(t)
  clock.freeze(true)
  await said('first')
  await drain()
  clock.advance(60_000)
  const between = new Date(clock.now()).toISOString()
  clock.advance(60_000)
  ctx.faults.set({ status: 500, count: 1 })
  await said('second')
  await drain()

  const contents = async (query: object) => {
    const { data } = await log(query)
    return data.map(({ payload }) => (payload as { content: string }).content)
  }
  assert.deepEqual(await contents({}), ['second', 'first'])
  assert.deepEqual(await contents({ state: 'pending' }), ['second'])
  assert.deepEqual(await contents({ state: 'delivered' }), ['first'])
  assert.deepEqual(await contents({ state: 'failed' }), [])
  assert.deepEqual(await contents({ created_from: between }), ['second'])
  assert.deepEqual(await contents({ created_to: between }), ['first'])
  const page = await log({ limit: 1 })
  assert.equal(page.meta.paginate.has_next, true)
  assert.deepEqual(await contents({ limit: 1, cursor: page.meta.paginate.next_page }), ['first'])
  await assert.rejects(log({ state: 'lost' }), { status: 400, code: 'in' })
  await assert.rejects(log({ created_from: 'yesterday' }), { status: 400, code: 'invalid' })
})

test('one delivery is sent again under its event id, with attempts that count on', async (t) => {
  const { said, drain, log, hook, alice, bob, bot } = await stageOf(t)
  await said('hello')
  await drain()
  const [delivery] = (await log()).data
  const params = { id: bot.id, delivery_id: delivery?.id as number }
  await assert.rejects(bob.call(redeliver, { params }), refused)
  const foreign = { ...params, delivery_id: 424242 }
  await assert.rejects(alice.call(redeliver, { params: foreign }), { status: 404, code: 'not_found' })
  const { status } = await alice.send(redeliver, { params })
  assert.equal(status, 202)
  await drain()
  const [first, second] = hook.requests
  assert.equal(second?.headers['webhook-id'], first?.headers['webhook-id'])
  assert.equal(second?.headers['parley-attempt'], '2')
  assert.deepEqual(
    (await log()).data[0]?.attempts.map(({ number }) => number),
    [1, 2],
  )
})

test('what failed in a time range is sent again, and nothing else', async (t) => {
  const { said, drain, log, hook, alice, bob, bot, clock, ctx } = await stageOf(t)
  await said('fine')
  await drain()
  for (const content of ['early', 'late']) {
    await said(content)
    await drain()
    clock.advance(DAY_MS)
  }
  const { data } = await log()
  await ctx.db
    .updateTable('deliveries')
    .set({ state: 'failed' })
    .where('id', 'in', [data[0]?.id as number, data[1]?.id as number])
    .execute()
  const created_to = data[1]?.created_at as string
  const created_from = data[2]?.created_at as string
  const params = { id: bot.id }
  await assert.rejects(bob.call(redeliverRange, { params, body: { created_from, created_to } }), refused)
  const backwards = { created_from: created_to, created_to: created_from }
  const order = alice.call(redeliverRange, { params, body: backwards })
  await assert.rejects(order, { status: 422, code: 'invalid_date_range' })
  const vague = alice.call(redeliverRange, { params, body: { created_from: 'x', created_to } })
  await assert.rejects(vague, { status: 422, code: 'invalid' })

  hook.requests.length = 0
  await alice.call(redeliverRange, { params, body: { created_from, created_to } })
  await drain()
  assert.deepEqual(
    hook.received.map(({ content }) => content),
    ['early'],
  )
  await ctx.db.updateTable('bots').set({ outgoing_url: '' }).execute()
  const nowhere = alice.call(redeliverRange, { params, body: { created_from, created_to } })
  await assert.rejects(nowhere, { status: 422, code: 'not_applicable' })
})

test('only editors resume', async (t) => {
  const { bob, owner, bot, alice } = await stageOf(t)
  for (const person of [bob, owner])
    await assert.rejects(person.call(resumeWebhook, { params: { id: bot.id } }), refused)
  await alice.call(resumeWebhook, { params: { id: bot.id } })
})

test('the queue keeps what is sent, newest first, in ids that sort as they came', async (t) => {
  const { said, drain, queue, hook, history, alice, clock } = await stageOf(t)
  clock.freeze(true)
  await history(true)
  for (const content of ['one', 'two', 'three']) await said(content)
  await drain()
  const { data } = await queue()
  assert.deepEqual(
    data.map(({ payload }) => (payload as { content: string }).content),
    ['three', 'two', 'one'],
  )
  const ids = data.map(({ id }) => id)
  assert.ok(ids.every((id) => /^[0-9A-HJKMNP-TV-Z]{26}$/.test(id)))
  assert.deepEqual([...ids].sort().reverse(), ids)
  assert.deepEqual(
    hook.requests.map(({ headers }) => headers['webhook-id']),
    [...ids].reverse(),
  )
  assert.equal(data[0]?.event_type, 'message_new')
  const stamp = data[0]?.payload.webhook_timestamp
  assert.equal(stamp, Math.floor(clock.now() / 1000))
  const foreign = alice.call(listWebhookEvents)
  await assert.rejects(foreign, refused)
})

test('the queue works without an address, is polled both ways, and is empty while it is off', async (t) => {
  const { said, drain, queue, history, ctx } = await stageOf(t)
  await ctx.db.updateTable('bots').set({ outgoing_url: '' }).execute()
  await said('unheard')
  await drain()
  assert.deepEqual((await queue()).data, [])
  await history(true)
  for (const content of ['a', 'b', 'c']) await said(content)
  await drain()
  const contents = (page: Awaited<ReturnType<typeof queue>>) =>
    page.data.map(({ payload }) => (payload as { content: string }).content)
  const first = await queue({ limit: 2 })
  assert.deepEqual(contents(first), ['c', 'b'])
  assert.deepEqual(contents(await queue({ limit: 2, cursor: first.meta.paginate.next_page })), ['a'])
  const newer = await queue({ cursor: first.meta.paginate.prev_page })
  assert.deepEqual(contents(newer), [])
  await said('d')
  await drain()
  assert.deepEqual(contents(await queue({ cursor: newer.meta.paginate.prev_page })), ['d'])
  assert.deepEqual(await ctx.db.selectFrom('deliveries').selectAll().execute(), [])
  await history(false)
  assert.deepEqual((await queue()).data, [])
})

test('an event is taken off its own queue, and goes by itself after 30 days', async (t) => {
  const { said, drain, queue, history, bot, alice, person, clock, ctx } = await stageOf(t)
  await history(true)
  for (const content of ['one', 'two']) await said(content)
  await drain()
  const [two] = (await queue()).data
  const remove = (whose: Person, id: string) => whose.call(deleteWebhookEvent, { params: { id } })
  const other = await person({ role: 'bot', nickname: 'other_bot' })
  await assert.rejects(remove(other, two?.id as string), { status: 404, code: 'not_found' })
  await assert.rejects(remove(alice, two?.id as string), refused)
  await remove(bot, two?.id as string)
  await assert.rejects(remove(bot, two?.id as string), { status: 404, code: 'not_found' })
  assert.equal((await queue()).data.length, 1)

  clock.advance(31 * DAY_MS)
  await drain()
  assert.deepEqual((await queue()).data, [])
  assert.deepEqual(await ctx.db.selectFrom('deliveries').selectAll().execute(), [])
  assert.deepEqual(await ctx.db.selectFrom('delivery_attempts').selectAll().execute(), [])
})

test('the log does not tell which names of the inside exist', async (t) => {
  for (const host of ['nowhere.invalid', '169.254.169.254']) {
    const { said, drain, log, ctx } = await stageOf(t)
    await ctx.db
      .updateTable('bots')
      .set({ outgoing_url: `http://${host}/` })
      .execute()
    await said('hello')
    await drain()
    const [delivery] = (await log()).data
    assert.equal(delivery?.attempts[0]?.error, 'unreachable: the host has no address that may be called')
    assert.equal(delivery?.attempts[0]?.error_code, 'unreachable')
  }
})
