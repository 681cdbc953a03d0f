import assert from 'node:assert/strict'
import { test } from 'node:test'
import { listDeliveries, listWebhookEvents } from '@parley/contract'
import { startReceiver } from '../testing/receiver.js'
import { world } from '../testing/world.js'
import { sendNow } from './send-now.js'

const PRESS = {
  type: 'button',
  event: 'click',
  message_id: 1,
  trigger_id: 'x',
  data: 'yes',
  user_id: 1,
  chat_id: 1,
}

async function stageOf(t: Parameters<typeof world>[0], answer?: Parameters<typeof startReceiver>[0]) {
  const stage = await world(t)
  const receiver = await startReceiver(answer)
  t.after(() => receiver.close())
  const set = (values: object) => stage.ctx.db.updateTable('bots').set(values).execute()
  await set({ outgoing_url: receiver.url, events: ['button_click'] })
  const press = (more: object = {}) =>
    sendNow(stage.ctx, {
      bot_id: stage.bot.id,
      chat_id: stage.office.id,
      event_type: 'button_click',
      payload: PRESS,
      timeout_ms: 30_000,
      ...more,
    })
  const log = async () => (await stage.alice.call(listDeliveries, { params: { id: stage.bot.id } })).data
  return { ...stage, receiver, set, press, log }
}

test('a press goes out at once, is in the log, and tells when it was written', async (t) => {
  const { receiver, press, log } = await stageOf(t)
  let sent = 0
  const result = await press({
    onSent: () => {
      sent += 1
    },
  })
  assert.equal(result.state, 'delivered')
  assert.equal(sent, 1)
  assert.deepEqual(receiver.received, [PRESS])
  assert.match(String(receiver.requests[0]?.headers['service-signature']), /^[0-9a-f]{64}$/)
  const [delivery] = await log()
  assert.deepEqual(
    [delivery?.state, delivery?.event_type, delivery?.attempts.length],
    ['delivered', 'button_click', 1],
  )
})

test('it has one attempt, and the answer of the receiver comes back', async (t) => {
  const { receiver, press, log, clock, drain } = await stageOf(t, (_, response) => {
    response.writeHead(422).end('{"errors":{}}')
  })
  const result = await press({ event_type: 'view_submit' })
  assert.equal(result.state, 'failed')
  assert.equal(result.outcome?.status, 422)
  assert.equal(result.outcome?.body.toString(), '{"errors":{}}')
  clock.advance(3_600_000)
  await drain()
  assert.equal(receiver.requests.length, 1)
  assert.equal((await log())[0]?.state, 'failed')
})

test('a bot that polls finds it in its queue; one without queue and address gets nothing', async (t) => {
  const { press, set, bot, log } = await stageOf(t)
  await set({ outgoing_url: '', events_history_enabled: true })
  assert.equal((await press()).state, 'queued')
  const { data } = await bot.call(listWebhookEvents)
  assert.equal(data[0]?.event_type, 'button_click')
  await set({ events_history_enabled: false })
  assert.equal((await press()).state, 'nobody')
  assert.deepEqual(await log(), [])
})

test('a press that its process did not live to send is sent by another; an answer to a form is given up', async (t) => {
  const { receiver, ctx, bot, office, drain, log } = await stageOf(t)
  for (const event_type of ['button_click', 'view_submit']) {
    await ctx.pool.query(
      `insert into deliveries (bot_id, chat_id, event_id, event_type, payload, state, held_until, created_at)
       values ($1, $2, $3, $3, '{"type":"button"}', 'pending', clock_timestamp(), now())`,
      [bot.id, office.id, event_type],
    )
  }
  await drain()
  assert.deepEqual(receiver.received, [{ type: 'button' }])
  const states = (await log()).map(({ event_type, state }) => [event_type, state]).sort()
  assert.deepEqual(states, [
    ['button_click', 'delivered'],
    ['view_submit', 'failed'],
  ])
})

test('it does not wait behind lanes that hang', async (t) => {
  const { press, ctx, bot, office, server, receiver } = await stageOf(t, ({ body }, response) => {
    if (body.type === 'button') response.end()
  })
  const lanes = Array.from({ length: 60 }, (_, index) => office.id + 1000 + index)
  await ctx.pool.query(
    `with made as (
       insert into deliveries (bot_id, chat_id, event_id, event_type, payload, state, created_at)
       select $1, lane, lane::text, 'message_new', '{"type":"message"}', 'pending', now() from unnest($2::bigint[]) lane
       returning bot_id, chat_id)
     insert into delivery_lanes (bot_id, chat_id, due_at) select bot_id, chat_id, now() from made`,
    [bot.id, lanes],
  )
  for (const worker of server.workers) worker.start()
  while (receiver.requests.length < 16) await new Promise((resolve) => setImmediate(resolve))
  const result = await press()
  assert.equal(result.state, 'delivered')
  assert.ok((result.outcome?.duration_ms ?? 0) < 3_000)
})
