import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  addChatMembers,
  createChat,
  deleteUser,
  getChatCard,
  listChatMembers,
  removeChatMember,
  updateUser,
} from '@parley/contract'
import { recountRosters } from '../chats/roster-queries.js'
import { transaction } from '../platform/db/transaction.js'
import { type World, world } from '../testing/world.js'

/** How many members a card names, and how many are listed. */
async function counts(w: World, id: number): Promise<number[]> {
  const web = await w.as(w.alice.id, { session: true })
  const { data: card } = await web.call(getChatCard, { params: { id } })
  const { data: listed } = await w.alice.call(listChatMembers, { params: { id } })
  return [card.members_count, listed.length]
}

const suspend = ({ admin }: World, id: number, suspended: boolean) =>
  admin.call(updateUser, { params: { id }, body: { user: { suspended } } })

test('a card counts those who are listed as members', async (t) => {
  const w = await world(t)
  const { alice, admin, office, person } = w
  const [before = 0] = await counts(w, office.id)
  const is = async (more: number) =>
    assert.deepEqual(await counts(w, office.id), [before + more, before + more])
  await is(0)
  const params = { id: office.id }
  const [one, two] = [await person({}), await person({})]
  await alice.call(addChatMembers, { params, body: { member_ids: [one.id, two.id] } })
  await is(2)
  await suspend(w, one.id, true)
  await suspend(w, one.id, true)
  await is(1)
  await suspend(w, one.id, false)
  await is(2)
  await suspend(w, one.id, true)
  await alice.call(removeChatMember, { params: { id: office.id, user_id: one.id } })
  await is(1)
  await suspend(w, one.id, false)
  await is(1)
  await admin.call(deleteUser, { params: { id: two.id } })
  await is(0)
  await suspend(w, w.bob.id, true)
  await admin.call(deleteUser, { params: { id: w.bob.id } })
  await is(-1)
})

test('somebody who is suspended while they come or go is counted right a minute later', async (t) => {
  const w = await world(t)
  const { alice, ctx, person } = w
  const recount = (id: number) => transaction(ctx, (tx) => recountRosters(tx, id, 0, 50))
  for (const [comes, first] of [
    [true, 'move'],
    [true, 'suspension'],
    [false, 'move'],
    [false, 'suspension'],
  ] as const) {
    const somebody = await person({})
    const { data: chat } = await alice.call(createChat, {
      body: { chat: { name: 'race', public: true, ...(comes ? {} : { member_ids: [somebody.id] }) } },
    })
    const params = { id: chat.id }
    const move = comes
      ? 'insert into chat_members (chat_id, user_id, role, joined_at) values ($1, $2, $$member$$, now())'
      : 'delete from chat_members where chat_id = $1 and user_id = $2'
    const [moving, suspending] = await Promise.all([ctx.pool.connect(), ctx.pool.connect()])
    try {
      await Promise.all([moving.query('begin'), suspending.query('begin')])
      const moves = () => moving.query(move, [chat.id, somebody.id])
      const suspends = () =>
        suspending.query('update users set suspended = true where id = $1', [somebody.id])
      const [earlier, later] = first === 'move' ? [moving, suspending] : [suspending, moving]
      await (first === 'move' ? moves() : suspends())
      const waits = first === 'move' ? suspends() : moves()
      await earlier.query('commit')
      await waits
      await later.query('commit')
    } finally {
      moving.release()
      suspending.release()
    }
    await recount(somebody.id)
    const { rows } = await ctx.pool.query('select members_count from chat_rosters where chat_id = $1', [
      params.id,
    ])
    assert.deepEqual(rows, [{ members_count: 1 }], `${comes ? 'comes' : 'goes'}, ${first} first`)
  }
})

test('members are counted anew a minute after a suspension', async (t) => {
  const w = await world(t)
  const { ctx, alice, bob, office, clock, drain } = w
  const [before] = await counts(w, office.id)
  await suspend(w, bob.id, true)
  await suspend(w, bob.id, false)
  await ctx.pool.query('update chat_rosters set members_count = members_count + 1 where chat_id = $1', [
    office.id,
  ])
  clock.advance(61_000)
  await drain()
  assert.deepEqual(await counts({ ...w, alice }, office.id), [before, before])
})

test('who is added while they are deleted is taken out and counted right a minute later', async (t) => {
  const w = await world(t)
  const { admin, alice, clock, ctx, drain, events, person } = w
  const somebody = await person({})
  const { data: chat } = await alice.call(createChat, { body: { chat: { name: 'race' } } })
  const adding = await ctx.pool.connect()
  try {
    await adding.query('begin')
    const join =
      'insert into chat_members (chat_id, user_id, role, joined_at) values ($1, $2, $$member$$, now())'
    await adding.query(join, [chat.id, somebody.id])
    await admin.call(deleteUser, { params: { id: somebody.id } })
    await adding.query('commit')
  } finally {
    adding.release()
  }
  assert.deepEqual(await counts(w, chat.id), [2, 1])
  clock.advance(61_000)
  await drain()
  assert.deepEqual(await counts(w, chat.id), [1, 1])
  const { rows } = await ctx.pool.query('select from chat_members where chat_id = $1', [chat.id])
  assert.equal(rows.length, 1)
  const told = (await events()).filter(
    ({ type, chat_id }) => type === 'chat_members.removed' && chat_id === chat.id,
  )
  assert.equal(told.length, 1)
})
