import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createUser, deleteUser, getProfile, getUser, listUsers, updateUser } from '@parley/contract'
import { openPersonalChat } from '../chats/open-personal.js'
import { transaction } from '../platform/db/transaction.js'
import { world } from '../testing/world.js'
import { audit, inviting } from '../users/testing-users.js'

test('a deleted person is gone from chats, tags and lists, and his tokens are dead', async (t) => {
  const { admin, bob, alice, ctx, office, events } = await world(t)
  await admin.call(updateUser, { params: { id: bob.id }, body: { user: { list_tags: ['Team'] } } })
  await bob.call(getProfile)
  await admin.call(deleteUser, { params: { id: bob.id } })

  await assert.rejects(bob.call(getProfile), { status: 401, code: 'invalid_token' })
  await assert.rejects(alice.call(getUser, { params: { id: bob.id } }), { status: 404, code: 'not_found' })
  await assert.rejects(admin.call(deleteUser, { params: { id: bob.id } }), { status: 404, code: 'not_found' })
  const { data } = await alice.call(listUsers)
  assert.ok(!data.some(({ id }) => id === bob.id))
  const left = await ctx.db.selectFrom('chat_members').selectAll().where('user_id', '=', bob.id).execute()
  assert.deepEqual(left, [])
  const tags = await ctx.db.selectFrom('user_tags').selectAll().where('user_id', '=', bob.id).execute()
  assert.deepEqual(tags, [])
  const told = await events()
  assert.ok(told.some(({ type, chat_id }) => type === 'chat_members.removed' && chat_id === office.id))
  assert.deepEqual(told.at(-1)?.type, 'company_members.deleted')
  assert.deepEqual(await audit(ctx, 'user_deleted'), [
    { actor_id: admin.id, entity_type: 'User', entity_id: String(bob.id), details: {} },
  ])
  const leaves = await audit(ctx, 'user_chat_leave')
  assert.deepEqual(
    leaves.find(({ entity_id }) => entity_id === String(office.id)),
    {
      actor_id: bob.id,
      entity_type: 'Chat',
      entity_id: String(office.id),
      details: { initiator_id: admin.id },
    },
  )
})

test('personal chats of a deleted person stay', async (t) => {
  const { admin, alice, bob, ctx } = await world(t)
  const chatId = await transaction(ctx, (tx) => openPersonalChat(tx, ctx, alice.id, bob.id))
  await admin.call(deleteUser, { params: { id: bob.id } })
  const rows = await ctx.db.selectFrom('chat_members').selectAll().where('chat_id', '=', chatId).execute()
  assert.equal(rows.length, 2)
})

test('the mail and nickname of a deleted person make a new, different one', async (t) => {
  const { admin, bob } = await world(t)
  await admin.call(deleteUser, { params: { id: bob.id } })
  const { data } = await admin.call(createUser, inviting({ email: 'bob@example.org', nickname: 'bob' }))
  assert.notEqual(data.id, bob.id)
  assert.equal(data.nickname, 'bob')
})

test('whom a deleted person invited has no inviter', async (t) => {
  const { owner, admin } = await world(t)
  const { data } = await admin.call(createUser, inviting({ email: 'n@example.org' }))
  await owner.call(deleteUser, { params: { id: admin.id } })
  const card = await owner.call(getUser, { params: { id: data.id } })
  assert.equal(card.data.inviter_id, null)
})

test('bots are not deleted as people', async (t) => {
  const { admin, bot } = await world(t)
  await assert.rejects(admin.call(deleteUser, { params: { id: bot.id } }), {
    status: 403,
    code: 'not_authorized',
  })
})
