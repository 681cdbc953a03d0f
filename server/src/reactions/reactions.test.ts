import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addReaction, createMessage, createThread, listReactions, removeReaction } from '@parley/contract'
import { sql } from 'kysely'
import { insertBulk } from '../testing/bulk.js'
import { type Person, world } from '../testing/world.js'
import { loadEmoji } from './emoji.js'

const saying = (entity_id: number, content: string) => ({ body: { message: { entity_id, content } } })
const on = (id: number, code: string, name?: string) => ({
  params: { id },
  body: { code, ...(name === undefined ? {} : { name }) },
})
const EMOJI = [...loadEmoji().keys()].slice(0, 60)

test('a reaction is added once, listed oldest first, and told', async (t) => {
  const { alice, bob, office, events, ctx } = await world(t)
  const { data: message } = await alice.call(createMessage, saying(office.id, 'hello'))
  const { id } = message
  const first = await bob.call(addReaction, on(id, '👍🏻'))
  assert.deepEqual([first.user_id, first.code, first.name], [bob.id, '👍🏻', ':+1::skin-tone-1:'])
  const heart = await alice.call(addReaction, on(id, '❤️'))
  const again = await alice.call(addReaction, on(id, '❤'))
  assert.deepEqual(again, heart, 'with and without a variation selector it is one emoji')
  const { data } = await alice.call(listReactions, { params: { id } })
  assert.deepEqual(data, [first, heart])
  for (const [code, found] of [
    ['❤', [heart]],
    ['🎉', []],
    [':+1:', []],
  ] as const)
    assert.deepEqual((await alice.call(listReactions, { params: { id }, query: { code } })).data, found)
  const told = (await events()).filter(({ type }) => type.startsWith('reaction.'))
  assert.deepEqual(
    told.map(({ type, payload }) => [type, payload.code, payload.user_id, payload.root_chat_id]),
    [
      ['reaction.created', '👍🏻', bob.id, office.id],
      ['reaction.created', '❤️', alice.id, office.id],
    ],
  )
  const audit = await ctx.db
    .selectFrom('audit_events')
    .select('event_key')
    .where('entity_type', '=', 'Reaction')
    .execute()
  assert.equal(audit.length, 2)
})

test('an own reaction is removed; somebody else’s, an absent one and a name are not', async (t) => {
  const { alice, bob, office, events } = await world(t)
  const { data: message } = await alice.call(createMessage, saying(office.id, 'hello'))
  const params = { id: message.id }
  const added = await bob.call(addReaction, on(message.id, '👍'))
  await assert.rejects(alice.call(removeReaction, { params, query: { code: '👍' } }), { status: 404 })
  await assert.rejects(bob.call(removeReaction, { params, query: { code: '🎉' } }), { status: 404 })
  await assert.rejects(bob.call(removeReaction, { params, query: { code: ':+1:' } }), { status: 404 })
  await bob.call(removeReaction, { params, query: { code: '👍' } })
  assert.deepEqual((await bob.call(listReactions, { params })).data, [])
  const told = (await events()).at(-1)
  assert.deepEqual([told?.type, told?.payload.created_at], ['reaction.deleted', added.created_at])
})

test('names are no emoji; the one custom reaction works with any code', async (t) => {
  const { alice, office } = await world(t)
  const { data: message } = await alice.call(createMessage, saying(office.id, 'hello'))
  for (const code of ['+1', ':+1:', 'x', '👍👍', '']) {
    await assert.rejects(alice.call(addReaction, on(message.id, code)), { status: 422, code: 'invalid' })
  }
  const thinking = await alice.call(addReaction, on(message.id, '🤖', 'agent-thinking'))
  assert.equal(thinking.name, 'agent-thinking')
  const robot = await alice.call(addReaction, on(message.id, '🤖'))
  assert.equal(robot.name, ':robot_face:')
  await alice.call(removeReaction, {
    params: { id: message.id },
    query: { code: '🤖', name: 'agent-thinking' },
  })
  assert.deepEqual((await alice.call(listReactions, { params: { id: message.id } })).data, [robot])
})

test('whoever reads may react: in open chats without joining, in archived ones too', async (t) => {
  const { alice, bob, admin, mia, news, office, ctx } = await world(t)
  const { data: post } = await alice.call(createMessage, saying(news.id, 'news'))
  await bob.call(addReaction, on(post.id, '👍'))
  await assert.rejects(mia.call(addReaction, on(post.id, '👍')), { status: 403 })
  const { data: message } = await alice.call(createMessage, saying(office.id, 'inside'))
  await assert.rejects(admin.call(addReaction, on(message.id, '👍')), { status: 403, code: 'not_authorized' })
  await assert.rejects(admin.call(listReactions, { params: { id: message.id } }), { status: 403 })
  await assert.rejects(alice.call(addReaction, on(999_999, '👍')), { status: 404 })
  await ctx.db.updateTable('chats').set({ archived_at: new Date() }).where('id', '=', office.id).execute()
  await bob.call(addReaction, on(message.id, '👍'))
})

test('reacting brings one into the thread, and taking it back does not lead out', async (t) => {
  const { alice, bob, office, ctx } = await world(t)
  const { data: message } = await alice.call(createMessage, saying(office.id, 'hello'))
  const { data: thread } = await alice.call(createThread, { params: { id: message.id } })
  await bob.call(addReaction, on(message.id, '👍'))
  await bob.call(removeReaction, { params: { id: message.id }, query: { code: '👍' } })
  const members = await ctx.db
    .selectFrom('chat_members')
    .select('user_id')
    .where('chat_id', '=', thread.chat_id)
    .execute()
  assert.deepEqual(members.map(({ user_id }) => user_id).sort(), [alice.id, bob.id].sort())
})

test('twenty different ones a person, also when they come at once', async (t) => {
  const { alice, bob, office } = await world(t)
  const { data: message } = await alice.call(createMessage, saying(office.id, 'hello'))
  const results = await Promise.allSettled(
    EMOJI.slice(0, 28).map((code) => bob.call(addReaction, on(message.id, code))),
  )
  const refused = results.flatMap((result) => (result.status === 'rejected' ? [result.reason] : []))
  assert.equal(results.length - refused.length, 20)
  assert.ok(refused.every(({ status, code }) => status === 422 && code === 'user_limit'))
  assert.equal((await bob.call(listReactions, { params: { id: message.id } })).data.length, 20)
})

test('thirty different ones a message, also when they come at once; known ones still count up', async (t) => {
  const { alice, bob, mia, bot, office } = await world(t)
  const { data: message } = await alice.call(createMessage, saying(office.id, 'hello'))
  const people: Person[] = [alice, bob, mia, bot]
  const results = await Promise.allSettled(
    EMOJI.slice(0, 44).map((code, index) =>
      (people[index % 4] as Person).call(addReaction, on(message.id, code)),
    ),
  )
  const refused = results.flatMap((result) => (result.status === 'rejected' ? [result.reason] : []))
  assert.equal(results.length - refused.length, 30)
  assert.ok(refused.every(({ status, code }) => status === 422 && code === 'unique_limit'))
  const { data } = await alice.call(listReactions, { params: { id: message.id } })
  const foreign = data.find(({ user_id }) => user_id !== bob.id)?.code as string
  await bob.call(addReaction, on(message.id, foreign))
})

test('a thousand a message, also when they come at once', async (t) => {
  const { alice, bob, mia, bot, office, ctx } = await world(t)
  const { data: message } = await alice.call(createMessage, saying(office.id, 'hello'))
  const people: Person[] = [alice, bob, mia, bot]
  await insertBulk(
    ctx,
    sql`with crowd as (
       insert into users (role, nickname, created_at)
       select 'user', 'crowd' || n, now() from generate_series(1, 990) n returning id)
     insert into reactions (message_id, user_id, emoji, code, name, created_at)
     select ${message.id}::bigint, id, '👍', '👍', ':+1:', now() from crowd`,
  )
  const results = await Promise.allSettled(
    people.flatMap((who) => EMOJI.slice(0, 5).map((code) => who.call(addReaction, on(message.id, code)))),
  )
  const refused = results.flatMap((result) => (result.status === 'rejected' ? [result.reason] : []))
  assert.equal(results.length - refused.length, 10)
  assert.ok(refused.every(({ status, code }) => status === 422 && code === 'general_limit'))
})
