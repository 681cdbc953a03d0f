import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createMessage, listMessages } from '@parley/contract'
import { world } from '../testing/world.js'
import { saying } from './testing-saying.js'

test('two people have one personal chat, and each sees the other as what it belongs to', async (t) => {
  const { alice, bob, admin } = await world(t)
  const first = await alice.call(createMessage, saying(bob.id, 'hi bob', { entity_type: 'user' }))
  const second = await bob.call(createMessage, saying(alice.id, 'hi alice', { entity_type: 'user' }))
  const third = await alice.call(createMessage, saying(first.data.chat_id, 'by chat id'))
  assert.equal(second.data.chat_id, first.data.chat_id)
  assert.equal(third.data.chat_id, first.data.chat_id)
  assert.deepEqual([first.data.entity_type, first.data.entity_id], ['user', bob.id])
  assert.deepEqual([second.data.entity_type, second.data.entity_id], ['user', alice.id])
  const page = await alice.call(listMessages, { query: { chat_id: first.data.chat_id } })
  assert.deepEqual(
    page.data.map(({ entity_id }) => entity_id),
    [bob.id, bob.id, bob.id],
  )
  const mirrored = await bob.call(listMessages, { query: { chat_id: first.data.chat_id } })
  assert.deepEqual(
    mirrored.data.map(({ entity_id }) => entity_id),
    [alice.id, alice.id, alice.id],
  )
  await assert.rejects(admin.call(listMessages, { query: { chat_id: first.data.chat_id } }), { status: 403 })
  const notes = await alice.call(createMessage, saying(alice.id, 'to do', { entity_type: 'user' }))
  assert.equal(notes.data.entity_id, alice.id)
})

test('two first messages at once open one personal chat', async (t) => {
  const { alice, bob } = await world(t)
  const sent = await Promise.all([
    alice.call(createMessage, saying(bob.id, 'a', { entity_type: 'user' })),
    bob.call(createMessage, saying(alice.id, 'b', { entity_type: 'user' })),
    alice.call(createMessage, saying(bob.id, 'c', { entity_type: 'user' })),
  ])
  assert.equal(new Set(sent.map(({ data }) => data.chat_id)).size, 1)
})

test('nobody writes to who is suspended or gone', async (t) => {
  const { alice, bob, person, ctx } = await world(t)
  const sleeper = await person({ suspended: true })
  await assert.rejects(alice.call(createMessage, saying(sleeper.id, 'hi', { entity_type: 'user' })), {
    status: 422,
    code: 'personal_chat',
  })
  const { data } = await alice.call(createMessage, saying(bob.id, 'hi', { entity_type: 'user' }))
  await ctx.db.updateTable('users').set({ deleted_at: new Date() }).where('id', '=', bob.id).execute()
  for (const entity of [{ entity_type: 'user', entity_id: bob.id }, { entity_id: data.chat_id }] as const) {
    await assert.rejects(alice.call(createMessage, { body: { message: { ...entity, content: 'still?' } } }), {
      status: 422,
      code: 'personal_chat',
    })
  }
})

test('a person writes to a bot that is public, shares a live chat, or wrote first', async (t) => {
  const { bob, admin, bot, office, ctx } = await world(t)
  const to = (content: string) => saying(bot.id, content, { entity_type: 'user' })
  await bob.call(createMessage, to('we share the office'))
  await assert.rejects(admin.call(createMessage, to('we share nothing')), {
    status: 403,
    code: 'not_authorized',
  })
  await bot.call(createMessage, saying(admin.id, 'I write first', { entity_type: 'user' }))
  await admin.call(createMessage, to('now I may'))
  await ctx.db.updateTable('chats').set({ archived_at: new Date() }).where('id', '=', office.id).execute()
  await assert.rejects(bob.call(createMessage, to('the chat is archived')), { status: 403 })
  await ctx.db.updateTable('bots').set({ who_can_add: 'anyone' }).where('user_id', '=', bot.id).execute()
  await bob.call(createMessage, to('public now'))
})

test('whoever made a bot, or may edit it, writes to it before any chat is shared', async (t) => {
  const { alice, bob, admin, person, ctx } = await world(t)
  const fresh = await person({ role: 'bot', nickname: 'fresh_bot' })
  await ctx.db
    .insertInto('bots')
    .values({ user_id: fresh.id, creator_id: alice.id, who_can_add: 'creator', signing_secret: 'whsec_AAAA' })
    .execute()
  const hello = saying(fresh.id, 'hello', { entity_type: 'user' })
  assert.equal((await alice.send(createMessage, hello)).status, 201)
  for (const one of [bob, admin])
    await assert.rejects(one.call(createMessage, hello), { status: 403, code: 'not_authorized' })
  await ctx.db
    .updateTable('bots')
    .set({ can_edit: ['admin'] })
    .where('user_id', '=', fresh.id)
    .execute()
  assert.equal((await admin.send(createMessage, hello)).status, 201)
  await ctx.db.updateTable('workspace').set({ integrations: 'admins' }).execute()
  assert.equal((await alice.send(createMessage, hello)).status, 201)
})

test('a multi-guest writes to those he sees; the others are not there for him', async (t) => {
  const { mia, alice, admin } = await world(t)
  await mia.call(createMessage, saying(alice.id, 'hi', { entity_type: 'user' }))
  await assert.rejects(mia.call(createMessage, saying(admin.id, 'hi', { entity_type: 'user' })), {
    status: 404,
  })
})
