import assert from 'node:assert/strict'
import { test } from 'node:test'
import { listChats, markChatUnread } from '@parley/contract'
import { transaction } from '../platform/db/transaction.js'
import { type Person, world } from '../testing/world.js'
import { openPersonalChat } from './open-personal.js'
import { at, message } from './testing-stage.js'

test('marking unread moves the caller’s own pointer back, and never forward', async (t) => {
  const stage = await world(t)
  const { ctx, alice, bob, office, news, events } = stage
  await alice.call(markChatUnread, at(office.id))
  const sent: number[] = []
  for (let index = 0; index < 3; index += 1) sent.push(await message(stage, office.id, bob.id))
  const [first, second, third] = sent as [number, number, number]
  await ctx.db
    .updateTable('chat_members')
    .set({ read_message_id: third })
    .where('chat_id', '=', office.id)
    .execute()
  const pointers = async () => {
    const rows = await ctx.db
      .selectFrom('chat_members')
      .select(['user_id', 'read_message_id'])
      .where('chat_id', '=', office.id)
      .execute()
    return (someone: Person) => rows.find(({ user_id }) => user_id === someone.id)?.read_message_id
  }
  await alice.call(markChatUnread, at(office.id))
  await alice.call(markChatUnread, at(office.id))
  assert.equal((await pointers())(alice), third - 1)
  await alice.call(markChatUnread, { ...at(office.id), body: { message_id: second } })
  await alice.call(markChatUnread, { ...at(office.id), body: {} })
  assert.equal((await pointers())(alice), second - 1)
  assert.equal((await pointers())(bob), third)
  assert.deepEqual(
    (await events()).map(({ type, payload }) => [type, payload.user_id, payload.message_id]),
    [
      ['read.moved', alice.id, third - 1],
      ['read.moved', alice.id, second - 1],
    ],
  )
  await assert.rejects(bob.call(markChatUnread, at(news.id)), { status: 404 })
  const foreign = await message(stage, news.id, alice.id)
  const other = alice.call(markChatUnread, { ...at(office.id), body: { message_id: foreign } })
  await assert.rejects(other, { status: 404, code: 'not_found' })
  assert.ok(first < second)
})

test('a hidden chat reappears when it is made unread', async (t) => {
  const stage = await world(t)
  const { ctx, alice, bob } = stage
  const personal = await transaction(ctx, (tx) => openPersonalChat(tx, ctx, alice.id, bob.id))
  await message(stage, personal, bob.id)
  await ctx.db.updateTable('chat_members').set({ hidden: true }).where('chat_id', '=', personal).execute()
  const listed = async () => (await alice.call(listChats, { query: { personal: true } })).data.length
  assert.equal(await listed(), 0)
  await alice.call(markChatUnread, at(personal))
  assert.equal(await listed(), 1)
})
