import assert from 'node:assert/strict'
import { test } from 'node:test'
import { getBot, resumeWebhook, updateBot } from '@parley/contract'
import { startReceiver } from '../testing/receiver.js'
import { WAITS_MS } from './schedule.js'
import { fails, manyChats, stageWith } from './testing-deliveries.js'

const HOUR_MS = 3_600_000

test('gone means gone: no second attempt, no address, nothing waiting, and the editors are told', async (t) => {
  const { said, drain, clock, receiver, log, alice, bot, events } = await stageWith(t, fails(410))
  // A relay that starts with a backlog places one event at a time; here both wait when the first is refused.
  await drain()
  await said('one')
  await said('two')
  await drain()
  clock.advance(HOUR_MS)
  await drain()
  assert.equal(receiver.requests.length, 1)
  assert.deepEqual(
    (await log()).map(({ state }) => state),
    ['cancelled', 'failed'],
  )
  const { data } = await alice.call(getBot, { params: { id: bot.id } })
  assert.equal(data.webhook.outgoing_url, '')
  const notices = (await events()).filter(({ type }) => type === 'notice.created')
  assert.deepEqual(
    notices.map(({ payload: { user_id, kind, bot_id } }) => ({ user_id, kind, bot_id })),
    [{ user_id: alice.id, kind: 'webhook_disabled', bot_id: bot.id }],
  )
})

test('after a hundred failures over an hour the address is paused; resuming sends what waited, in order', async (t) => {
  let broken = true
  const stage = await stageWith(t, (_, response) => {
    response.writeHead(broken ? 500 : 200).end()
  })
  const { said, drain, clock, receiver, log, alice, bot, events, ctx } = stage
  const chats = await manyChats(stage, 30)
  for (const chat of chats) await said('one', chat)
  await drain()
  for (const wait_ms of WAITS_MS.slice(0, 3)) {
    clock.advance(wait_ms * 1.21)
    await drain()
  }
  assert.equal(receiver.requests.length, 120)
  const paused = async () => (await alice.call(getBot, { params: { id: bot.id } })).data.webhook.paused_at
  assert.equal(await paused(), null, 'a hundred failures within minutes are no reason yet')
  clock.advance(HOUR_MS)
  await drain()
  assert.ok(await paused())
  const sent = receiver.requests.length
  assert.ok(sent < 150)

  for (const chat of chats) await said('two', chat)
  clock.advance(24 * HOUR_MS)
  await drain()
  assert.equal(receiver.requests.length, sent, 'nothing is sent while paused')
  assert.equal((await log({ state: 'pending' })).length, 50)
  const notices = (await events()).filter(({ type }) => type === 'notice.created')
  assert.deepEqual(
    notices.map(({ payload }) => payload.kind),
    ['webhook_paused'],
  )

  broken = false
  await alice.call(resumeWebhook, { params: { id: bot.id } })
  await drain()
  assert.equal(await paused(), null)
  const resumed = receiver.requests.slice(sent)
  assert.equal(resumed.length, 60)
  for (const chat of chats) {
    const told = resumed.filter(({ body }) => body.chat_id === chat).map(({ body }) => body.content)
    assert.deepEqual(told, ['one', 'two'])
  }
  const row = await ctx.db.selectFrom('bots').select(['failures', 'failing_since']).executeTakeFirstOrThrow()
  assert.deepEqual(row, { failures: 0, failing_since: null })
})

test('a new address gets at once what waited for the old one; no address drops it', async (t) => {
  const { said, drain, alice, bot, log, listen, ctx } = await stageWith(t, fails(500))
  await said('waits')
  await drain()
  const other = await startReceiver()
  t.after(() => other.close())
  const params = { id: bot.id }
  await alice.call(updateBot, { params, body: { webhook: { outgoing_url: other.url } } })
  await drain()
  assert.equal(other.requests.length, 1)
  assert.equal(other.requests[0]?.headers['parley-attempt'], '2')

  await listen(bot, ['message_new'])
  await ctx.db.updateTable('bots').set({ outgoing_url: 'http://127.0.0.1:1/' }).execute()
  await said('dropped')
  await drain()
  await alice.call(updateBot, { params, body: { webhook: { outgoing_url: '' } } })
  assert.deepEqual(
    (await log()).map(({ state }) => state),
    ['cancelled', 'delivered'],
  )
})

test('a receiver that does not answer is given five seconds, and holds up no other bot', async (t) => {
  const stage = await stageWith(t, () => {})
  const { said, ctx, server, person, office, alice, log } = stage
  const other = await person({ role: 'bot', nickname: 'other_bot' })
  const quick = await startReceiver()
  t.after(() => quick.close())
  await ctx.db
    .insertInto('bots')
    .values({
      user_id: other.id,
      creator_id: alice.id,
      trigger_on: 'all_messages',
      outgoing_url: quick.url,
      signing_secret: 'whsec_AAAA',
    })
    .execute()
  await ctx.db
    .insertInto('chat_members')
    .values({ chat_id: office.id, user_id: other.id, role: 'member', joined_at: new Date() })
    .execute()
  for (const worker of server.workers) worker.start()
  const began = performance.now()
  await said('one')
  await said('two')
  while (quick.requests.length < 2) await new Promise((resolve) => setImmediate(resolve))
  assert.ok(performance.now() - began < 5_000)
  let attempts: { duration_ms: number; error: string | null }[] = []
  while (attempts.length === 0) {
    const waiting = await log({ state: 'pending' })
    attempts = waiting.flatMap((delivery) => delivery.attempts)
  }
  assert.ok(performance.now() - began >= 5_000)
  assert.match(String(attempts[0]?.error), /^timeout: /)
})
