import assert from 'node:assert/strict'
import { test } from 'node:test'
import { getUser, getUserStatus, listUsers, updateUser } from '@parley/contract'
import { openPersonalChat } from '../chats/open-personal.js'
import { now } from '../platform/clock.js'
import { transaction } from '../platform/db/transaction.js'
import { join } from '../testing/join.js'
import { type Person, type World, world } from '../testing/world.js'

const hidden = { status: 404, code: 'not_found' }

async function together(
  { ctx, clock }: World,
  people: Person[],
  more: { kind?: string; public?: boolean; archived?: boolean } = {},
) {
  const at = now(clock)
  const { id } = await ctx.db
    .insertInto('chats')
    .values({
      kind: more.kind ?? 'conversation',
      name: 'shared',
      public: more.public ?? false,
      owner_id: people[0]?.id as number,
      meet_slug: `shared-${Math.random()}`,
      archived_at: more.archived ? at : null,
      created_at: at,
      last_message_at: at,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  for (const person of people) await join({ ctx }, { id }, person)
}

async function seenByMia(stage: World, id: number): Promise<boolean> {
  const { data } = await stage.mia.call(listUsers)
  const listed = data.some((user) => user.id === id)
  const read = () => stage.mia.call(getUser, { params: { id } })
  const status = () => stage.mia.call(getUserStatus, { params: { user_id: id } })
  if (listed) {
    assert.equal((await read()).data.id, id)
    assert.equal(await status(), null)
  } else {
    await assert.rejects(read(), hidden)
    await assert.rejects(status(), hidden)
  }
  return listed
}

test('a multi-guest sees himself and the members of the chats he is in, bots too', async (t) => {
  const stage = await world(t)
  const { mia, alice, bob, bot, owner, admin } = stage
  for (const { id } of [mia, alice, bob, bot]) assert.equal(await seenByMia(stage, id), true)
  for (const { id } of [owner, admin]) assert.equal(await seenByMia(stage, id), false)
})

test('a thread is no chat that a multi-guest shares with anybody', async (t) => {
  const stage = await world(t)
  await together(stage, [stage.mia, stage.admin], { kind: 'thread' })
  assert.equal(await seenByMia(stage, stage.admin.id), false)
})

test('an archived chat is no chat that a multi-guest shares with anybody', async (t) => {
  const stage = await world(t)
  await together(stage, [stage.mia, stage.admin], { archived: true })
  assert.equal(await seenByMia(stage, stage.admin.id), false)
})

test('an open chat shows its people to a multi-guest only when he is in it', async (t) => {
  const stage = await world(t)
  const outsider = await stage.person({ nickname: 'outsider' })
  await together(stage, [outsider], { public: true })
  assert.equal(await seenByMia(stage, outsider.id), false)
  await together(stage, [outsider, stage.mia], { public: true, kind: 'channel' })
  assert.equal(await seenByMia(stage, outsider.id), true)
})

test('a multi-guest sees with whom he has a personal chat', async (t) => {
  const stage = await world(t)
  const { ctx, mia, admin } = stage
  await transaction(ctx, (tx) => openPersonalChat(tx, ctx, admin.id, mia.id))
  assert.equal(await seenByMia(stage, admin.id), true)
})

test('a multi-guest sees public bots, and other bots only in his chats', async (t) => {
  const stage = await world(t)
  const { ctx, person } = stage
  const far = await person({ role: 'bot', nickname: 'far_bot' })
  await ctx.db.insertInto('bots').values({ user_id: far.id, signing_secret: 'whsec_x' }).execute()
  assert.equal(await seenByMia(stage, far.id), false)
  await ctx.db.updateTable('bots').set({ who_can_add: 'anyone' }).where('user_id', '=', far.id).execute()
  assert.equal(await seenByMia(stage, far.id), true)
})

test('a multi-guest reads his own tags, and none of others', async (t) => {
  const { admin, mia, alice } = await world(t)
  for (const { id } of [mia, alice])
    await admin.call(updateUser, { params: { id }, body: { user: { list_tags: ['Team'] } } })
  const read = async (id: number) => (await mia.call(getUser, { params: { id } })).data.list_tags
  assert.deepEqual(await read(mia.id), ['Team'])
  assert.deepEqual(await read(alice.id), [])
})

test('a multi-guest finds by a query only whom he sees, and nobody by mail', async (t) => {
  const { mia, admin } = await world(t)
  const find = async (query: string) => {
    const { data, meta } = await mia.call(listUsers, { query: { query } })
    assert.equal((meta as { total: number }).total, data.length)
    return data.map(({ nickname }) => nickname)
  }
  assert.deepEqual(await find('ali'), ['alice'])
  assert.deepEqual(await find('admin'), [])
  assert.deepEqual(await find('alice@example.org'), [])
  assert.deepEqual(await find('mia@example.org'), ['mia'])
  assert.ok(admin.id)
})

test('personal data: owner and admin read that of others always', async (t) => {
  const { ctx, owner, admin, bob } = await world(t)
  await ctx.db.updateTable('workspace').set({ show_personal_data: false }).execute()
  for (const reader of [owner, admin]) {
    const { data } = await reader.call(getUser, { params: { id: bob.id } })
    assert.equal(data.email, 'bob@example.org')
  }
})

/** What a reader gets of bob, with the setting on and off, from the card, the list and a query by mail. */
async function reads({ ctx }: World, reader: Person, id: number, show: boolean) {
  await ctx.db.updateTable('users').set({ phone_number: '+1 555' }).where('id', '=', id).execute()
  await ctx.db.updateTable('workspace').set({ show_personal_data: show }).execute()
  const { data: card } = await reader.call(getUser, { params: { id } })
  const { data: list } = await reader.call(listUsers)
  const listed = list.find((user) => user.id === id)
  assert.deepEqual([listed?.email, listed?.phone_number], [card.email, card.phone_number])
  const { data: matches } = await reader.call(listUsers, { query: { query: '+1 555' } })
  assert.equal(matches.length, card.phone_number ? 1 : 0)
  return [card.email, card.phone_number]
}

test('personal data: an employee reads that of others by the setting', async (t) => {
  const stage = await world(t)
  assert.deepEqual(await reads(stage, stage.alice, stage.bob.id, true), ['bob@example.org', '+1 555'])
  assert.deepEqual(await reads(stage, stage.alice, stage.bob.id, false), [null, null])
})

test('personal data: a bot reads that of others by the setting', async (t) => {
  const stage = await world(t)
  assert.deepEqual(await reads(stage, stage.bot, stage.bob.id, true), ['bob@example.org', '+1 555'])
  assert.deepEqual(await reads(stage, stage.bot, stage.bob.id, false), [null, null])
})

test('personal data: a bot whose row says admin inherits nothing of an admin', async (t) => {
  const stage = await world(t)
  const { ctx, bot, bob } = stage
  await ctx.db.updateTable('users').set({ role: 'admin' }).where('id', '=', bot.id).execute()
  assert.deepEqual(await reads(stage, bot, bob.id, false), [null, null])
})

test('personal data: a multi-guest never reads that of others', async (t) => {
  const stage = await world(t)
  assert.deepEqual(await reads(stage, stage.mia, stage.bob.id, true), [null, null])
  assert.deepEqual(await reads(stage, stage.mia, stage.bob.id, false), [null, null])
})

test('personal data: everybody reads his own', async (t) => {
  const stage = await world(t)
  for (const person of [stage.alice, stage.mia])
    assert.deepEqual((await reads(stage, person, person.id, false))[1], '+1 555')
})
