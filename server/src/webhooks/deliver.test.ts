import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import type { ServerResponse } from 'node:http'
import { test } from 'node:test'
import {
  createMessage,
  getBot,
  listDeliveries,
  redeliver,
  resumeWebhook,
  rotateSigningSecret,
  updateBot,
} from '@parley/contract'
import { type Received, startReceiver } from '../testing/receiver.js'
import { type World, world } from '../testing/world.js'
import { startDeliveries } from './deliver.js'
import { WAITS_MS, waitAfter } from './schedule.js'
import { say } from './testing-events.js'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS

type Answering = (received: Received, response: ServerResponse, count: number) => void

/** A world whose bot sends to a receiver that answers as told. */
async function stageWith(t: Parameters<typeof world>[0], answer?: Answering) {
  const stage = await world(t)
  const receiver = await startReceiver(answer)
  t.after(() => receiver.close())
  const events = ['message_new']
  await stage.ctx.db.updateTable('bots').set({ outgoing_url: receiver.url, events }).execute()
  const said = (content: string, chat_id = stage.office.id) =>
    say(stage.ctx, { chat_id, user_id: stage.alice.id, content })
  const contents = () => receiver.requests.map(({ body }) => body.content)
  const log = async (query: object = {}) =>
    (await stage.alice.call(listDeliveries, { params: { id: stage.bot.id }, query })).data
  return { ...stage, receiver, said, contents, log }
}

const fails =
  (status: number, headers: Record<string, string> = {}): Answering =>
  (_, response) =>
    response.writeHead(status, headers).end()

test('a message reaches the bot that listens in the chat, stamped and signed', async (t) => {
  const { ctx, alice, bot, office, listen, drain } = await world(t)
  const hook = await listen(bot, ['message_new'])
  const { data } = await alice.call(createMessage, {
    body: { message: { entity_id: office.id, content: 'hello' } },
  })
  await drain()

  assert.equal(hook.requests.length, 1)
  const { body, headers, raw } = hook.requests[0] as Received
  assert.equal(body.id, data.id)
  const { signing_secret } = await ctx.db
    .selectFrom('bots')
    .select('signing_secret')
    .executeTakeFirstOrThrow()
  assert.equal(headers['service-signature'], createHmac('sha256', signing_secret).update(raw).digest('hex'))
  const stamp = headers['webhook-timestamp'] as string
  assert.equal(stamp, String(body.webhook_timestamp))
  const key = Buffer.from(signing_secret.slice('whsec_'.length), 'base64')
  const standard = createHmac('sha256', key).update(`${headers['webhook-id']}.${stamp}.${raw}`)
  assert.equal(headers['webhook-signature'], `v1,${standard.digest('base64')}`)
  assert.equal(headers['parley-attempt'], '1')
  assert.equal(headers['content-type'], 'application/json')
})

test('the signature goes out under every name of the setting', async (t) => {
  const { ctx, alice, bot, office, listen, drain } = await world(t, {
    env: { PARLEY_SIGNATURE_HEADER: 'X-Signed, X-Also-Signed' },
  })
  const hook = await listen(bot, ['message_new'])
  await say(ctx, { chat_id: office.id, user_id: alice.id, content: 'hello' })
  await drain()
  assert.match(String(hook.requests[0]?.headers['x-signed']), /^[0-9a-f]{64}$/)
  assert.equal(hook.requests[0]?.headers['x-also-signed'], hook.requests[0]?.headers['x-signed'])
  assert.equal(hook.requests[0]?.headers['service-signature'], undefined)
})

test('after a rotation both secrets sign for a day, unless the old one ends at once', async (t) => {
  const { ctx, alice, bot, office, listen, drain, clock } = await world(t)
  const hook = await listen(bot, ['message_new'])
  const params = { id: bot.id }
  const secretNow = async () =>
    (await ctx.db.selectFrom('bots').select('signing_secret').executeTakeFirstOrThrow()).signing_secret
  const sent = async () => {
    await say(ctx, { chat_id: office.id, user_id: alice.id, content: 'hello' })
    await drain()
    return hook.requests.at(-1) as Received
  }
  const standard = ({ headers, raw }: Received, secret: string) => {
    const key = Buffer.from(secret.slice('whsec_'.length), 'base64')
    const signed = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${raw}`
    return `v1,${createHmac('sha256', key).update(signed).digest('base64')}`
  }
  const old = await secretNow()
  await alice.call(rotateSigningSecret, { params })
  const renewed = await secretNow()
  const both = await sent()
  assert.equal(both.headers['webhook-signature'], `${standard(both, renewed)} ${standard(both, old)}`)
  const own = createHmac('sha256', renewed).update(both.raw).digest('hex')
  assert.equal(both.headers['service-signature'], own)
  clock.advance(24 * HOUR_MS + 1)
  const later = await sent()
  assert.equal(later.headers['webhook-signature'], standard(later, renewed))
  await alice.call(rotateSigningSecret, { params, body: { grace_s: 0 } })
  const last = await sent()
  assert.equal(last.headers['webhook-signature'], standard(last, await secretNow()))
})

test('a failed webhook is tried on the schedule, stamped anew with the same id, and given up after nine', async (t) => {
  const { said, drain, clock, receiver, log } = await stageWith(t, fails(500))
  // On a loaded machine the real clock would pass the few milliseconds between too soon and due.
  clock.freeze(true)
  await said('hello')
  await drain()
  for (const [index, wait_ms] of WAITS_MS.entries()) {
    assert.equal(receiver.requests.length, index + 1)
    clock.advance(wait_ms * 0.79)
    await drain()
    assert.equal(receiver.requests.length, index + 1, `attempt ${index + 2} came too soon`)
    clock.advance(wait_ms * 0.42)
    await drain()
  }
  assert.equal(receiver.requests.length, 9)
  clock.advance(48 * HOUR_MS)
  await drain()
  assert.equal(receiver.requests.length, 9)

  const ids = new Set(receiver.requests.map(({ headers }) => headers['webhook-id']))
  const stamps = new Set(receiver.requests.map(({ body }) => body.webhook_timestamp))
  const signatures = new Set(receiver.requests.map(({ headers }) => headers['service-signature']))
  assert.deepEqual([ids.size, stamps.size, signatures.size], [1, 9, 9])
  assert.equal(receiver.requests.at(-1)?.headers['parley-attempt'], '9')
  const [delivery] = await log()
  assert.equal(delivery?.state, 'failed')
  assert.equal(delivery?.next_attempt_at, null)
  assert.deepEqual(
    delivery?.attempts.map(({ number, status, error }) => ({ number, status, error })),
    Array.from({ length: 9 }, (_, index) => ({ number: index + 1, status: 500, error: null })),
  )
})

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

test('redirects are not followed, and a dropped connection or a refused one is a failure', async (t) => {
  const { said, drain, clock, receiver, log, ctx } = await stageWith(t, (_, response, count) => {
    if (count === 1) response.writeHead(302, { Location: '/elsewhere' }).end()
    else response.socket?.destroy()
  })
  await said('hello')
  await drain()
  clock.advance(12_001)
  await drain()
  await receiver.close()
  clock.advance(72_001)
  await drain()
  const [delivery] = await log()
  const [redirect, dropped, refused] = delivery?.attempts ?? []
  assert.deepEqual([redirect?.status, redirect?.error], [302, null])
  assert.match(String(dropped?.error), /^reset: /)
  assert.match(String(refused?.error), /^connect: /)
  assert.equal(delivery?.state, 'pending')
  assert.ok(new Date(String(delivery?.next_attempt_at)).getTime() > ctx.clock.now())
})

test('a receiver that asks for time gets it, up to twice the planned wait', async (t) => {
  let header = '15'
  const { said, drain, clock, receiver, log } = await stageWith(t, (_, response) => {
    response.writeHead(429, { 'Retry-After': header }).end()
  })
  clock.freeze(true)
  await said('hello')
  await drain()
  const waits = async () => {
    const [delivery] = await log()
    return Math.round((new Date(String(delivery?.next_attempt_at)).getTime() - clock.now()) / 1000)
  }
  assert.equal(await waits(), 15)
  header = '86400'
  clock.advance(15_001)
  await drain()
  assert.equal(await waits(), 120)
  header = new Date(clock.now() + 120_000 + 400_000).toUTCString()
  clock.advance(120_001)
  await drain()
  assert.ok(Math.abs((await waits()) - 400) <= 1)
  assert.equal(receiver.requests.length, 3)
})

test('the schedule spreads by a fifth either way and never lets a receiver hurry', () => {
  assert.equal(
    waitAfter(1, undefined, () => 0),
    8_000,
  )
  assert.equal(
    waitAfter(1, undefined, () => 1),
    12_000,
  )
  assert.equal(
    waitAfter(1, 1_000, () => 0),
    8_000,
  )
  assert.equal(
    waitAfter(1, 19_000, () => 0),
    19_000,
  )
  assert.equal(
    waitAfter(8, undefined, () => 0.5),
    10 * HOUR_MS,
  )
  assert.equal(waitAfter(9), undefined)
})

test('gone means gone: no second attempt, no address, nothing waiting, and the editors are told', async (t) => {
  const { said, drain, clock, receiver, log, alice, bot, events } = await stageWith(t, fails(410))
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

/** Chats of the bot's own, so that many attempts can fail side by side. */
async function manyChats({ ctx, bot, alice }: World, count: number): Promise<number[]> {
  const { rows } = await ctx.pool.query(
    `with made as (
       insert into chats (kind, name, owner_id, meet_slug, created_at, last_message_at)
       select 'conversation', 'many', $1, 'many', now(), now() from generate_series(1, $3::int) returning id),
     joined as (insert into chat_members (chat_id, user_id, role, joined_at) select id, $2, 'member', now() from made)
     select id from made`,
    [alice.id, bot.id, count],
  )
  return rows.map(({ id }) => Number(id))
}

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
  assert.ok(performance.now() - began < 3_000)
  let attempts: { duration_ms: number; error: string | null }[] = []
  while (attempts.length === 0) {
    const waiting = await log({ state: 'pending' })
    attempts = waiting.flatMap((delivery) => delivery.attempts)
  }
  assert.ok(performance.now() - began >= 5_000)
  assert.match(String(attempts[0]?.error), /^timeout: /)
})

test('the faults of the sandbox meet attempts instead of the network', async (t) => {
  const { said, drain, clock, receiver, ctx, log } = await stageWith(t)
  ctx.faults.set({ status: 503, count: 1 })
  await said('hello')
  await drain()
  ctx.faults.set({ timeout: true, count: 1 })
  clock.advance(12_001)
  await drain()
  ctx.faults.set({ drop: true, count: 1 })
  clock.advance(72_001)
  await drain()
  assert.equal(receiver.requests.length, 0)
  clock.advance(6 * MINUTE_MS)
  await drain()
  assert.equal(receiver.requests.length, 1)
  const [delivery] = await log()
  assert.deepEqual(
    delivery?.attempts.map(({ status, error }) => status ?? error?.split(':')[0]),
    [503, 'timeout', 'reset', 200],
  )
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
