import assert from 'node:assert/strict'
import { test } from 'node:test'
import { getChat, listChats } from '@parley/contract'
import { transaction } from '../platform/db/transaction.js'
import { world } from '../testing/world.js'
import { openPersonalChat } from './open-personal.js'
import { at, thread } from './testing-stage.js'

test('a chat is read by its members, an open one by every employee, and nobody learns more', async (t) => {
  const { ctx, alice, bob, admin, owner, mia, bot, office, news, attic } = await world(t)
  for (const someone of [alice, bob, mia, bot])
    assert.equal((await someone.call(getChat, at(office.id))).data.id, office.id)
  for (const someone of [admin, owner])
    await assert.rejects(someone.call(getChat, at(office.id)), { status: 403, code: 'not_authorized' })
  for (const someone of [bob, admin, owner, bot])
    assert.equal((await someone.call(getChat, at(news.id))).data.id, news.id)
  await assert.rejects(mia.call(getChat, at(news.id)), { status: 403, code: 'not_authorized' })
  assert.equal((await bob.call(getChat, at(attic.id))).data.archived, true)
  for (const id of [9_999, -3, 9_000_000_000_000])
    await assert.rejects(alice.call(getChat, at(id)), { status: 404, code: 'not_found' })

  const personal = await transaction(ctx, (tx) => openPersonalChat(tx, ctx, bob.id, admin.id))
  await assert.rejects(owner.call(getChat, at(personal)), { status: 403 })
  const { data } = await bob.call(getChat, at(personal))
  assert.deepEqual([data.name, data.personal, data.public, data.owner_id], ['Admin', true, false, bob.id])
  assert.equal((await admin.call(getChat, at(personal))).data.name, 'Bob')
  const alone = await transaction(ctx, (tx) => openPersonalChat(tx, ctx, bob.id, bob.id))
  assert.deepEqual((await bob.call(getChat, at(alone))).data.member_ids, [bob.id])
})

test('suspended members are left out of a chat’s people and stay members', async (t) => {
  const { ctx, alice, bob, office } = await world(t)
  await ctx.db.updateTable('users').set({ suspended: true }).where('id', '=', bob.id).execute()
  assert.ok(!(await alice.call(getChat, at(office.id))).data.member_ids.includes(bob.id))
  await ctx.db.updateTable('users').set({ suspended: false }).where('id', '=', bob.id).execute()
  assert.ok((await alice.call(getChat, at(office.id))).data.member_ids.includes(bob.id))
})

test('the chat of a thread can be read by its id and is in no list', async (t) => {
  const stage = await world(t)
  const { alice, bob, mia, admin, office, news } = stage
  const closed = await thread(stage, office.id, bob)
  const { data } = await alice.call(getChat, at(closed.id))
  assert.deepEqual([data.name, data.owner_id, data.public], [`Thread ${closed.thread_id}`, bob.id, false])
  await assert.rejects(admin.call(getChat, at(closed.id)), { status: 403 })
  const open = await thread(stage, news.id, alice)
  assert.equal((await admin.call(getChat, at(open.id))).data.public, true)
  await assert.rejects(mia.call(getChat, at(open.id)), { status: 403 })
  const listed = await bob.call(listChats, { query: { archived: true } })
  assert.ok(!listed.data.some(({ id }) => id === closed.id))
})
