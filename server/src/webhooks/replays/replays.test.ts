import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as api from '@parley/contract'
import { removeChatMember } from '@parley/contract'
import { startReceiver } from '../../testing/receiver.js'
import { type World, world } from '../../testing/world.js'
import { feedReplay } from './feed.js'

const MINUTE_MS = 60_000

const saying = (entity_id: number, content: string) => ({ body: { message: { entity_id, content } } })
const at = ({ clock }: World, before_ms = 0) => new Date(clock.now() - before_ms).toISOString()

/** Lets a replay go on to its end. */
async function runOn({ clock, drain }: World, seconds = 40) {
  for (let second = 0; second < seconds; second += 4) {
    await drain()
    clock.advance(4_000)
  }
  await drain()
}

async function heardMessages(stage: World, contents: readonly string[]) {
  for (const content of contents) await stage.alice.call(api.createMessage, saying(stage.office.id, content))
  await stage.drain()
}

const begin = ({ alice, bot }: World, body: api.ReplayRequest) =>
  alice.call(api.createReplay, { params: { id: bot.id }, body }).then(({ data }) => data)

test('a replay sends what was delivered again, in order, with the same ids and marked', async (t) => {
  const stage = await world(t)
  const hook = await stage.listen(stage.bot, ['message_new'])
  const began = at(stage)
  stage.clock.advance(1_000)
  await heardMessages(stage, ['one', 'two', 'three'])
  const ids = hook.requests.map(({ headers }) => headers['webhook-id'])
  const params = { id: stage.bot.id }
  const { data: plan } = await stage.alice.call(api.planReplay, { params, body: { from: began } })
  assert.deepEqual(plan, { total: 3, by_event: { message_new: 3 } })
  const made = await begin(stage, { from: began })
  assert.deepEqual([made.state, made.total, made.done], ['running', 3, 0])
  await assert.rejects(begin(stage, { from: began }), { status: 422, code: 'already_exists' })
  await runOn(stage)

  const again = hook.requests.slice(3)
  assert.deepEqual(
    again.map(({ body }) => body.content),
    ['one', 'two', 'three'],
  )
  assert.deepEqual(
    again.map(({ headers }) => headers['webhook-id']),
    ids,
  )
  assert.equal(again[0]?.headers['parley-replay'], String(made.id))
  assert.match(String(again[0]?.headers['parley-replay-original']), /^\d{4}-.*Z$/)
  assert.equal(hook.requests[0]?.headers['parley-replay'], undefined)
  const { data: ended } = await stage.alice.call(api.getReplay, { params: { ...params, replay_id: made.id } })
  assert.deepEqual([ended.state, ended.done, ended.failed], ['finished', 3, 0])
  const { data: log } = await stage.alice.call(api.listDeliveries, { params, query: { replay_id: made.id } })
  assert.equal(log.length, 3)
})

test('what was missed while there was no address, and what failed, can be asked for alone', async (t) => {
  const stage = await world(t)
  const began = at(stage)
  stage.clock.advance(1_000)
  await stage.ctx.db
    .updateTable('bots')
    .set({ events: ['message_new'] })
    .execute()
  await heardMessages(stage, ['missed'])
  let status = 410
  const receiver = await startReceiver((_, response) => void response.writeHead(status).end())
  t.after(() => receiver.close())
  const setUrl = () => stage.ctx.db.updateTable('bots').set({ outgoing_url: receiver.url }).execute()
  await setUrl()
  await heardMessages(stage, ['refused'])
  status = 200
  await setUrl()
  await heardMessages(stage, ['heard'])
  const contents = () => receiver.requests.map(({ body }) => body.content)
  assert.deepEqual(contents(), ['refused', 'heard'])
  await begin(stage, { from: began, only: 'missing' })
  await runOn(stage)
  assert.deepEqual(contents().slice(2), ['missed'])
  await begin(stage, { from: began, only: 'failed' })
  await runOn(stage)
  assert.deepEqual(contents().slice(3), ['refused'])
  for (const only of ['missing', 'failed'] as const) {
    const { data } = await stage.alice.call(api.planReplay, {
      params: { id: stage.bot.id },
      body: { from: began, only },
    })
    assert.equal(data.total, 0, only)
  }
})

test('nothing is sent of chats that the bot has left or joined later, and of deleted texts the deletion', async (t) => {
  const stage = await world(t)
  const { alice, bob, bot, office, drain } = stage
  const hook = await stage.listen(bot, ['message_new', 'message_delete'])
  const began = at(stage)
  stage.clock.advance(1_000)
  const chatOf = async (name: string, member_ids: number[]) =>
    (await alice.call(api.createChat, { body: { chat: { name, member_ids } } })).data.id
  const left = await chatOf('left', [bot.id])
  const later = await chatOf('later', [bob.id])
  await alice.call(api.createMessage, saying(left, 'in the chat it left'))
  await alice.call(api.createMessage, saying(later, 'before it came'))
  const { data: gone } = await alice.call(api.createMessage, saying(office.id, 'SECRET'))
  await drain()
  stage.clock.advance(1_000)
  await alice.call(removeChatMember, { params: { id: left, user_id: bot.id } })
  await alice.call(api.addChatMembers, { params: { id: later }, body: { member_ids: [bot.id] } })
  await alice.call(api.deleteMessage, { params: { id: gone.id } })
  await drain()
  const before = hook.requests.length
  await begin(stage, { from: began })
  await runOn(stage)
  const again = hook.requests.slice(before).map(({ body }) => body)
  assert.ok(again.length > 0)
  assert.deepEqual(
    again.map(({ event, chat_id, content }) => [event, chat_id, content]),
    again.map(() => ['delete', office.id, '']),
  )
})

test('what happens during a replay is sent before the rest of the replay', async (t) => {
  const stage = await world(t)
  const { alice, bot, office, drain } = stage
  const hook = await stage.listen(bot, ['message_new'])
  const began = at(stage)
  stage.clock.advance(1_000)
  const texts = Array.from({ length: 60 }, (_, index) => `text ${index}`)
  await heardMessages(stage, texts)
  const { data: plan } = await alice.call(api.planReplay, { params: { id: bot.id }, body: { from: began } })
  // A replay goes on by the second, and a busy machine takes many for this.
  stage.clock.freeze(true)
  await begin(stage, { from: began })
  await drain()
  stage.clock.advance(1)
  await alice.call(api.createMessage, saying(office.id, 'live'))
  await drain()
  const heard = () => hook.received.map((body) => (body as { content: string }).content)
  assert.equal(heard().at(-1), 'live', 'no time has passed')
  const before = heard().length
  assert.ok(before < 60 + plan.total, 'the replay is not through')
  await runOn(stage)
  assert.equal(hook.requests.length, 60 + plan.total + 1, 'the plan counts what is sent')
})

test('a replay takes fifty at a time, and sends nothing more when it is cancelled', async (t) => {
  const stage = await world(t)
  const { alice, bot, drain } = stage
  const hook = await stage.listen(bot, ['message_new'])
  const began = at(stage)
  stage.clock.advance(1_000)
  await heardMessages(
    stage,
    Array.from({ length: 60 }, (_, index) => `text ${index}`),
  )
  const made = await begin(stage, { from: began })
  const params = { id: bot.id, replay_id: made.id }
  await feedReplay(stage.ctx, { replay_id: made.id })
  const { data: log } = await alice.call(api.listDeliveries, {
    params: { id: bot.id },
    query: { state: 'pending', replay_id: made.id, limit: 50 },
  })
  assert.equal(log.length, 50)
  await alice.call(api.cancelReplay, { params })
  await drain()
  assert.equal(hook.requests.length, 60)
  const { data } = await alice.call(api.getReplay, { params })
  assert.deepEqual([data.state, data.total, data.done, data.failed], ['cancelled', 60, 0, 50])
  await begin(stage, { from: began, events: ['message_update'] })
})

test('a bot replays into its queue, and to an endpoint by its name', async (t) => {
  const stage = await world(t)
  const { bot } = stage
  await stage.ctx.db
    .updateTable('bots')
    .set({ events: ['message_new'], events_history_enabled: true })
    .execute()
  const began = at(stage)
  stage.clock.advance(1_000)
  await heardMessages(stage, ['first', 'second'])
  const queue = async () => (await bot.call(api.listWebhookEvents, { query: {} })).data
  const [second] = await queue()
  await bot.call(api.deleteWebhookEvent, { params: { id: second?.id as string } })
  const { data: made } = await bot.call(api.createOwnReplay, { body: { from: began, to_endpoint: 'queue' } })
  await runOn(stage)
  assert.equal((await queue()).length, 2)
  const { data: ended } = await bot.call(api.getOwnReplay, { params: { replay_id: made.id } })
  assert.deepEqual([ended.state, ended.done], ['finished', 2])

  const receiver = await startReceiver()
  t.after(() => receiver.close())
  await bot.call(api.createOwnEndpoint, {
    body: { name: 'New', url: receiver.url, events: ['message_new'], trigger: 'all_messages' },
  })
  await bot.call(api.createOwnReplay, { body: { from: began, to_endpoint: 'new', only: 'missing' } })
  await runOn(stage)
  assert.deepEqual(
    receiver.requests.map(({ body }) => body.content),
    ['first', 'second'],
  )
})

test('what cannot be replayed is refused by name', async (t) => {
  const stage = await world(t)
  const { alice, bob, bot } = stage
  const plan = (by: World['alice'], body: object) =>
    by.call(api.planReplay, { params: { id: bot.id }, body: body as api.ReplayRequest })
  const from = at(stage, MINUTE_MS)
  await assert.rejects(plan(alice, { from }), { status: 422, code: 'not_applicable' })
  await stage.listen(bot, ['message_new'])
  const old = at(stage, 8 * 24 * 60 * MINUTE_MS)
  const refusals: [object, string][] = [
    [{ from: 'soon' }, 'invalid'],
    [{ from: old }, 'invalid_date_range'],
    [{ from, to: at(stage, 2 * MINUTE_MS) }, 'invalid_date_range'],
    [{ from, to_endpoint: 'other' }, 'not_found'],
    [{ from, to_endpoint: 'queue' }, 'not_applicable'],
  ]
  for (const [body, code] of refusals) await assert.rejects(plan(alice, body), { status: 422, code })
  await assert.rejects(plan(bob, { from }), { status: 403 })
  await assert.rejects(alice.call(api.cancelReplay, { params: { id: bot.id, replay_id: 99 } }), {
    status: 404,
  })
})
