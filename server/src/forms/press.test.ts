import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createMessage, createThread, deleteMessage, listWebhookEvents, pressButton } from '@parley/contract'
import { join } from '../testing/join.js'
import { ASK, BUTTONS, press, setBot, stage } from './testing-stage.js'

test('a press reaches the bot at once, with a trigger', async (t) => {
  const scene = await stage(t)
  const trigger_id = await press(scene)
  const [body] = await scene.server.bodies('button')
  const { webhook_timestamp, ...rest } = body as Record<string, unknown>
  assert.equal(typeof webhook_timestamp, 'number')
  assert.deepEqual(rest, {
    type: 'button',
    event: 'click',
    message_id: scene.message.id,
    trigger_id,
    data: 'ask',
    user_id: scene.bob.id,
    chat_id: scene.office.id,
  })
  assert.match(trigger_id, /^[\da-f]{8}-/)
})

test('whoever presses does not wait for the bot', async (t) => {
  const scene = await stage(t)
  scene.server.answer(() => 'silence')
  const began = performance.now()
  await press(scene)
  await scene.server.bodies('button')
  // The bot itself is waited for thirty seconds.
  assert.ok(performance.now() - began < 15_000)
})

test('each press is told, and told once', async (t) => {
  const scene = await stage(t)
  scene.server.answer(() => ({ status: 500 }))
  const triggers = new Set([await press(scene), await press(scene)])
  const bodies = await scene.server.bodies('button', 2)
  assert.equal(triggers.size, 2)
  assert.deepEqual(new Set(bodies.map(({ trigger_id }) => trigger_id)), triggers)
  await scene.drain()
  assert.equal(scene.server.requests.length, 2)
})

test('the same Idempotency-Key is one press, another body under it is refused', async (t) => {
  const scene = await stage(t)
  const buttons = [['Yes', 'No'].map((text) => ({ text, data: text }))]
  const question = { entity_id: scene.office.id, content: 'Well?', buttons }
  const { data: message } = await scene.bot.call(createMessage, { body: { message: question } })
  const call = { params: { id: message.id }, body: ASK, idempotency_key: 'once' }
  const first = await scene.bob.call(pressButton, call)
  assert.deepEqual(await scene.bob.call(pressButton, call), first)
  assert.equal((await scene.server.bodies('button')).length, 1)
  const other = { ...call, body: { row: 0, column: 1 } }
  await assert.rejects(scene.bob.call(pressButton, other), { status: 409, code: 'already_exists' })
})

test('a bot that polls finds the press in its queue', async (t) => {
  const scene = await stage(t)
  await setBot(scene, { outgoing_url: '', events_history_enabled: true })
  const trigger_id = await press(scene)
  const queued = await scene.ctx.db.selectFrom('queued_events').selectAll().execute()
  assert.deepEqual(
    queued.map(({ event_type, bot_id, payload }) => [event_type, bot_id, JSON.parse(payload).trigger_id]),
    [['button_click', scene.bot.id, trigger_id]],
  )
})

test('any reader may press: multi-guests of the chat, employees in an open one, members of a thread under it', async (t) => {
  const scene = await stage(t)
  const mia = await scene.as(scene.mia.id, { session: true })
  await mia.call(pressButton, { params: { id: scene.message.id }, body: ASK })

  await scene.ctx.db.updateTable('chats').set({ public: true }).where('id', '=', scene.office.id).execute()
  const owner = await scene.as(scene.owner.id, { session: true })
  await owner.call(pressButton, { params: { id: scene.message.id }, body: ASK })
  await scene.ctx.db.updateTable('chats').set({ public: false }).where('id', '=', scene.office.id).execute()

  const { data: thread } = await scene.alice.call(createThread, { params: { id: scene.message.id } })
  const admin = await scene.as(scene.admin.id, { session: true })
  const byAdmin = () => admin.call(pressButton, { params: { id: scene.message.id }, body: ASK })
  await assert.rejects(byAdmin(), { status: 403, code: 'not_authorized' })
  await join(scene, { id: thread.chat_id }, scene.admin)
  await byAdmin()
  assert.equal((await scene.server.bodies('button', 3)).length, 3)
})

test('buttons are for people, and for those who may read the message', async (t) => {
  const scene = await stage(t)
  const call = { params: { id: scene.message.id }, body: ASK }
  await assert.rejects(scene.bot.call(pressButton, call), { status: 403, code: 'not_authorized' })
  const owner = await scene.as(scene.owner.id, { session: true })
  await assert.rejects(owner.call(pressButton, call), { status: 403, code: 'not_authorized' })
  const nowhere = { ...call, params: { id: 999_999 } }
  await assert.rejects(scene.bob.call(pressButton, nowhere), { status: 404, code: 'not_found' })
  assert.deepEqual(scene.server.requests, [])
})

test('what is no button to press is refused', async (t) => {
  const scene = await stage(t)
  const at = (row: number, column: number) =>
    scene.bob.call(pressButton, { params: { id: scene.message.id }, body: { row, column } })
  await assert.rejects(at(1, 0), { status: 422, code: 'not_found' })
  await assert.rejects(at(0, 2), { status: 422, code: 'not_found' })
  await assert.rejects(at(0, 1), { status: 422, code: 'not_applicable' })
  await assert.rejects(at(-1, 0), { status: 422, code: 'invalid' })
  await scene.bot.call(deleteMessage, { params: { id: scene.message.id } })
  await assert.rejects(at(0, 0), { status: 404, code: 'message_deleted' })
})

test('a bot hears its buttons whatever it is subscribed to, at its address or in its queue', async (t) => {
  const scene = await stage(t)
  await setBot(scene, { events: ['message_new'] })
  await press(scene)
  assert.equal((await scene.server.bodies('button')).length, 1)
  await setBot(scene, { events: [], outgoing_url: '', events_history_enabled: true })
  await press(scene)
  const { data } = await scene.bot.call(listWebhookEvents)
  assert.equal(data.length, 1)
})

test('a bot that has neither an address nor a queue, is suspended or gone, gives an error', async (t) => {
  const scene = await stage(t)
  const refused = { status: 422, code: 'displayed_error' }
  await setBot(scene, { outgoing_url: '' })
  await assert.rejects(press(scene), refused)
  await setBot(scene, { outgoing_url: scene.server.url })
  await scene.ctx.db.updateTable('users').set({ suspended: true }).where('id', '=', scene.bot.id).execute()
  await assert.rejects(press(scene), refused)
  const deleted_at = new Date(scene.clock.now())
  await scene.ctx.db.updateTable('users').set({ deleted_at }).where('id', '=', scene.bot.id).execute()
  await assert.rejects(press(scene), refused)
  assert.deepEqual(scene.server.requests, [])
})

test('a press in a thread names the chat of the thread', async (t) => {
  const scene = await stage(t)
  const { data: thread } = await scene.alice.call(createThread, { params: { id: scene.message.id } })
  const comment = { entity_type: 'thread' as const, entity_id: thread.id, content: 'Well?', buttons: BUTTONS }
  const { data: message } = await scene.bot.call(createMessage, { body: { message: comment } })
  await scene.bob.call(pressButton, { params: { id: message.id }, body: ASK })
  const [body] = await scene.server.bodies('button')
  assert.equal(body?.chat_id, thread.chat_id)
})
