import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import * as api from '@parley/contract'
import { verifyWebhook } from '@parley/sdk'
import { type Received, startReceiver } from '../../testing/receiver.js'
import { type World, world } from '../../testing/world.js'
import { say } from '../testing-events.js'

const HOUR_MS = 3_600_000

type Answer = Parameters<typeof startReceiver>[0]

async function receiverOf(t: TestContext, answer?: Answer) {
  const receiver = await startReceiver(answer)
  t.after(() => receiver.close())
  return receiver
}

const refused = (code: string, key: string) => ({ status: 422, code, errors: [{ key }] })

async function assertRefused(call: Promise<unknown>, code: string, key: string) {
  const error = await call.then(
    () => assert.fail('was not refused'),
    (thrown) => thrown,
  )
  const { status, code: given, errors } = error
  assert.deepEqual({ status, code: given, errors: [{ key: errors[0].key }] }, refused(code, key))
}

const make = (by: World['alice'], bot_id: number, body: object) =>
  by.call(api.createEndpoint, { params: { id: bot_id }, body: body as api.EndpointRequest })

const everything = { events: ['message_new' as const], trigger: 'all_messages' as const }

test('each endpoint gets what its filter asks for, with the same id and body', async (t) => {
  const stage = await world(t)
  const { ctx, alice, bot, office, listen, drain } = stage
  const first = await listen(bot, ['message_new'])
  const [all, chats, commands, other] = [
    await receiverOf(t),
    await receiverOf(t),
    await receiverOf(t),
    await receiverOf(t),
  ]
  await make(alice, bot.id, { name: 'all', url: all.url, ...everything })
  await make(alice, bot.id, { name: 'chats', url: chats.url, ...everything, chat_ids: [office.id + 99] })
  await make(alice, bot.id, { name: 'commands', url: commands.url })
  await make(alice, bot.id, { name: 'other', url: other.url, ...everything, events: ['reaction_new'] })
  await say(ctx, { chat_id: office.id, user_id: alice.id, content: 'hello' })
  await drain()
  assert.deepEqual(
    [first, all, chats, commands, other].map(({ requests }) => requests.length),
    [1, 1, 0, 0, 0],
  )
  assert.deepEqual(all.received, first.received)
  assert.equal(all.requests[0]?.headers['webhook-id'], first.requests[0]?.headers['webhook-id'])
  const log = (query: object) => alice.call(api.listDeliveries, { params: { id: bot.id }, query })
  const { data } = await log({})
  assert.equal(new Set(data.map(({ endpoint_id }) => endpoint_id)).size, 2)
  assert.equal((await log({ endpoint_id: 0 })).data.length, 1)
})

test('an endpoint for a chat hears nothing of it once the bot has left', async (t) => {
  const { ctx, alice, bot, office, drain } = await world(t)
  const hook = await receiverOf(t)
  await make(alice, bot.id, { name: 'office', url: hook.url, ...everything, chat_ids: [office.id] })
  const heard = async (content: string) => {
    await say(ctx, { chat_id: office.id, user_id: alice.id, content })
    await drain()
    return hook.received.flatMap((body) => (body as { content?: string }).content ?? [])
  }
  assert.deepEqual(await heard('inside'), ['inside'])
  await alice.call(api.removeChatMember, { params: { id: office.id, user_id: bot.id } })
  assert.deepEqual(await heard('after it left'), ['inside'])
})

test('an endpoint that is down holds up no other, and is paused alone', async (t) => {
  const stage = await world(t)
  const { ctx, alice, bot, office, listen, drain, clock } = stage
  const first = await listen(bot, ['message_new'])
  const down = await receiverOf(t, (_, response) => void response.writeHead(500).end())
  const { data: made } = await make(alice, bot.id, { name: 'down', url: down.url, ...everything })
  await ctx.pool.query('update endpoints set failures = 99, failing_since = $1', [
    new Date(clock.now() - 2 * HOUR_MS),
  ])
  for (const content of ['one', 'two', 'three'])
    await say(ctx, { chat_id: office.id, user_id: alice.id, content })
  await drain()
  assert.deepEqual(
    first.requests.map(({ body }) => body.content),
    ['one', 'two', 'three'],
  )
  assert.equal(down.requests.length, 1)
  const params = { id: bot.id, endpoint_id: made.id }
  const { data: paused } = await alice.call(api.getEndpoint, { params })
  assert.ok(paused.paused_at)
  const { data: bots } = await alice.call(api.getEndpoint, { params: { id: bot.id, endpoint_id: 0 } })
  assert.equal(bots.paused_at, null)
  const notices = await alice.call(api.listNotices, {})
  assert.match(JSON.stringify(notices), /endpoint “down” has failed/)

  const up = await receiverOf(t)
  await alice.call(api.updateEndpoint, { params, body: { url: up.url } })
  await drain()
  assert.deepEqual(
    up.requests.map(({ body }) => body.content),
    ['one', 'two', 'three'],
  )
})

test('410 disables the endpoint, and enabling it again takes what happens from then on', async (t) => {
  const stage = await world(t)
  const { ctx, alice, bot, office, drain } = stage
  let status = 410
  const receiver = await receiverOf(t, (_, response) => void response.writeHead(status).end())
  const { data: made } = await make(alice, bot.id, { name: 'gone', url: receiver.url, ...everything })
  const params = { id: bot.id, endpoint_id: made.id }
  const said = (content: string) => say(ctx, { chat_id: office.id, user_id: alice.id, content })
  await said('one')
  await drain()
  assert.equal((await alice.call(api.getEndpoint, { params })).data.disabled, true)
  await said('two')
  status = 200
  await drain()
  await alice.call(api.updateEndpoint, { params, body: { disabled: false } })
  await said('three')
  await drain()
  assert.deepEqual(
    receiver.requests.map(({ body }) => body.content),
    ['one', 'three'],
  )
})

test('both kinds of signature verify during a rotation and after it', async (t) => {
  const stage = await world(t)
  const { ctx, alice, bot, office, drain, clock } = stage
  const receiver = await receiverOf(t)
  const headers = { Authorization: 'Bearer inside', 'X-Team': 'a' }
  const { data: made } = await make(alice, bot.id, {
    name: 'signed',
    url: receiver.url,
    headers,
    ...everything,
  })
  assert.deepEqual(made.header_names, ['Authorization', 'X-Team'])
  const hmac = made.signing_secret as string
  const params = { id: bot.id, endpoint_id: made.id }
  const last = async () => {
    await say(ctx, { chat_id: office.id, user_id: alice.id, content: 'hello' })
    await drain()
    return receiver.requests.at(-1) as Received
  }
  const verifies = ({ headers, raw }: Received, key: string) => {
    try {
      return Boolean(verifyWebhook({ headers, body: raw }, key, { now_ms: clock.now() }))
    } catch {
      return false
    }
  }
  const before = await last()
  assert.equal(before.headers.authorization, 'Bearer inside')
  assert.ok(verifies(before, hmac))

  const rotated = await alice.call(api.rotateEndpointSecret, {
    params,
    body: { signature: 'ed25519', grace_s: 3600 },
  })
  const publicKey = rotated.data.public_key as string
  assert.equal(rotated.data.signing_secret, null)
  const during = await last()
  assert.match(String(during.headers['webhook-signature']), /^v1a,\S+ v1,\S+$/)
  assert.deepEqual([verifies(during, publicKey), verifies(during, hmac)], [true, true])

  clock.advance(HOUR_MS + 1)
  const after = await last()
  assert.deepEqual([verifies(after, publicKey), verifies(after, hmac)], [true, false])
  assert.equal(after.headers['service-signature'], undefined)

  const again = await alice.call(api.rotateEndpointSecret, { params, body: { grace_s: 0 } })
  const last_ = await last()
  assert.deepEqual(
    [verifies(last_, publicKey), verifies(last_, again.data.public_key as string)],
    [false, true],
  )
  const kept = JSON.stringify(await ctx.db.selectFrom('endpoints').selectAll().execute())
  assert.doesNotMatch(kept, /inside|whsec_|whsk_/)
})

test('endpoint 0 is the address in the settings of the bot', async (t) => {
  const stage = await world(t)
  const { alice, bot } = stage
  const receiver = await receiverOf(t)
  const params = { id: bot.id, endpoint_id: 0 }
  const body = { url: receiver.url, events: ['reaction_new' as const], trigger: 'commands' as const }
  await alice.call(api.updateEndpoint, { params, body })
  const { data } = await alice.call(api.getBot, { params: { id: bot.id } })
  const { outgoing_url, events, trigger_on } = data.webhook
  assert.deepEqual([outgoing_url, events, trigger_on], [receiver.url, ['reaction_new'], 'commands'])
  const tried = await bot.call(api.testOwnEndpoint, { params: { endpoint_id: 0 } })
  assert.equal(tried.data.status, 200)
  assert.equal(receiver.requests[0]?.body.type, 'test')
  const rotated = await alice.call(api.rotateEndpointSecret, { params })
  const { signing_secret } = (await alice.call(api.getBot, { params: { id: bot.id } })).data
  assert.equal(rotated.data.signing_secret, signing_secret)
  await assertRefused(
    alice.call(api.updateEndpoint, { params, body: { name: 'other' } }),
    'not_applicable',
    'name',
  )
  const { data: shown } = await alice.call(api.getEndpoint, { params })
  const { name, url, chat_ids, disabled } = shown
  const same = { name, url, events: shown.events, trigger: shown.trigger, chat_ids, disabled }
  assert.deepEqual((await alice.call(api.updateEndpoint, { params, body: same })).data, shown)
  const own = { params: { endpoint_id: 0 }, body: same }
  assert.deepEqual((await bot.call(api.updateOwnEndpoint, own)).data, shown)
  await alice.call(api.deleteEndpoint, { params })
  const { data: listed } = await bot.call(api.listOwnEndpoints, {})
  assert.deepEqual(
    listed.map(({ id, url, disabled }) => [id, url, disabled]),
    [[0, '', true]],
  )
})

test('settings that no endpoint may have are refused by name', async (t) => {
  const { alice, bob, bot, owner } = await world(t)
  const url = 'https://bots.example.org/'
  await make(alice, bot.id, { name: 'Main', url })
  await assertRefused(make(alice, bot.id, { name: 'main', url }), 'already_exists', 'name')
  await assertRefused(make(alice, bot.id, { name: 'default', url }), 'already_exists', 'name')
  await assertRefused(make(alice, bot.id, { name: ' ', url }), 'blank', 'name')
  await assertRefused(make(alice, bot.id, { name: 'x'.repeat(65), url }), 'too_long', 'name')
  await assertRefused(make(alice, bot.id, { name: 'a', url: 'ftp://x' }), 'invalid_webhook_url', 'url')
  const headers = { 'Webhook-Id': 'mine' }
  await assertRefused(make(alice, bot.id, { name: 'a', url, headers }), 'invalid', 'headers')
  const many = Object.fromEntries(Array.from({ length: 11 }, (_, index) => [`X-${index}`, 'a']))
  await assertRefused(make(alice, bot.id, { name: 'a', url, headers: many }), 'max_length', 'headers')
  for (let index = 1; index < 10; index += 1) await make(alice, bot.id, { name: `n${index}`, url })
  await assertRefused(make(alice, bot.id, { name: 'eleventh', url }), 'max_length', 'endpoints')
  await assert.rejects(make(bob, bot.id, { name: 'a', url }), { status: 403 })
  await assert.rejects(make(alice, 999_999, { name: 'a', url }), { status: 404 })
  const links = { name: 'links', url, events: ['message_link_shared'] }
  await assert.rejects(make(alice, bot.id, links), { status: 403 })
  await assert.rejects(bot.call(api.createOwnEndpoint, { body: links as api.EndpointRequest }), {
    status: 403,
  })
  await assert.rejects(make(owner, bot.id, links), { status: 403 })
  const { data } = await alice.call(api.listEndpoints, { params: { id: bot.id }, query: { limit: 3 } })
  assert.deepEqual(
    data.map(({ name }) => name),
    ['default', 'Main', 'n1'],
  )
})
