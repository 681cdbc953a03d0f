import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  createChat,
  createMessage,
  createPersonalToken,
  deleteMessage,
  listMessages,
  updateMessage,
} from '@parley/contract'
import { world } from '../../testing/world.js'

const saying = (entity_id: number, content: string) => ({ body: { message: { entity_id, content } } })

test('the same key and body gives the first answer again and does nothing twice', async (t) => {
  const { alice, office, events } = await world(t)
  const input = { ...saying(office.id, 'once'), idempotency_key: 'k1' }
  const first = await alice.call(createMessage, input)
  const second = await alice.call(createMessage, input)
  assert.deepEqual(second, first)
  const { data } = await alice.call(listMessages, { query: { chat_id: office.id } })
  assert.equal(data.length, 1)
  assert.equal((await events()).filter(({ type }) => type === 'message.created').length, 1)
})

test('twenty requests at once with one key make one message', async (t) => {
  const { alice, office } = await world(t)
  const input = { ...saying(office.id, 'at once'), idempotency_key: 'k2' }
  const answers = await Promise.all([...Array(20)].map(() => alice.call(createMessage, input)))
  assert.equal(new Set(answers.map(({ data }) => data.id)).size, 1)
})

test('another body under the key is refused, another caller or operation is free', async (t) => {
  const { alice, bob, office } = await world(t)
  const key = { idempotency_key: 'k3' }
  await alice.call(createMessage, { ...saying(office.id, 'one'), ...key })
  const other = alice.call(createMessage, { ...saying(office.id, 'two'), ...key })
  await assert.rejects(other, { status: 409, code: 'already_exists' })
  await bob.call(createMessage, { ...saying(office.id, 'two'), ...key })
  await alice.call(createChat, { body: { chat: { name: 'new' } }, ...key })
})

test('a refused write keeps no key: the next try is a new one', async (t) => {
  const { alice, attic, office, ctx } = await world(t)
  const key = { idempotency_key: 'k4' }
  await assert.rejects(alice.call(createMessage, { ...saying(attic.id, 'x'), ...key }), { status: 403 })
  await ctx.db.updateTable('chats').set({ archived_at: null }).where('id', '=', attic.id).execute()
  const { data } = await alice.call(createMessage, { ...saying(attic.id, 'x'), ...key })
  assert.equal(data.chat_id, attic.id)
  await assert.rejects(alice.call(createMessage, { ...saying(office.id, 'y'), ...key }), { status: 409 })
})

test('the first answer is given again after the message was changed and deleted', async (t) => {
  const { alice, bob, bot, office } = await world(t)
  const personal = { body: { message: { entity_type: 'user' as const, entity_id: bob.id, content: 'psst' } } }
  await alice.call(createMessage, personal)
  const sends = [
    { who: alice, sent: saying(office.id, 'people @bob "quoted" 🙂') },
    { who: alice, sent: personal },
    { who: bot, sent: saying(office.id, 'bots') },
  ]
  for (const [n, { who, sent }] of sends.entries()) {
    const input = { ...sent, idempotency_key: `again ${n}` }
    const first = await who.send(createMessage, input)
    const params = { id: first.body.data.id }
    await who.call(updateMessage, { params, body: { message: { content: 'changed' } } })
    await who.call(deleteMessage, { params })
    const second = await who.send(createMessage, input)
    assert.deepEqual([second.status, second.body], [first.status, first.body])
  }
})

test('an answer without a body is given again too', async (t) => {
  const { alice, office } = await world(t)
  const { data } = await alice.call(createMessage, saying(office.id, 'gone soon'))
  const input = { params: { id: data.id }, idempotency_key: 'k5' }
  assert.equal((await alice.send(deleteMessage, input)).status, 204)
  assert.equal((await alice.send(deleteMessage, input)).status, 204)
})

test('a key is forgotten after a day, and a bad one is refused', async (t) => {
  const { alice, office, clock, drain } = await world(t)
  const input = { ...saying(office.id, 'daily'), idempotency_key: 'k6' }
  const first = await alice.call(createMessage, input)
  clock.advance(24 * 3_600_000 + 1)
  const second = await alice.call(createMessage, input)
  assert.notEqual(second.data.id, first.data.id)
  await drain()
  for (const idempotency_key of ['x'.repeat(256), ' ']) {
    const refused = alice.call(createMessage, { ...saying(office.id, 'x'), idempotency_key })
    await assert.rejects(refused, { status: 400, code: 'invalid' })
  }
})

test('the answer of a repeated request holds its secret again, and the database holds none', async (t) => {
  const { alice, as, ctx } = await world(t)
  const session = await as(alice.id, { session: true })
  const input = { body: { name: 'Script', scopes: ['profile:read'] as never }, idempotency_key: 'k7' }
  const first = await session.call(createPersonalToken, input)
  assert.deepEqual(await session.call(createPersonalToken, input), first)
  const stored = await ctx.db.selectFrom('idempotency_keys').selectAll().executeTakeFirstOrThrow()
  const bytes = Object.values(stored).map((value) =>
    Buffer.isBuffer(value) ? value.toString('latin1') : `${value}`,
  )
  assert.ok(!bytes.join().includes(first.data.access_token))
})
