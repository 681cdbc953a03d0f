import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createChat, listChats, listCompanyChats } from '@parley/contract'
import { sql } from 'kysely'
import { transaction } from '../platform/db/transaction.js'
import { insertBulk } from '../testing/bulk.js'
import { join } from '../testing/join.js'
import { type Person, world } from '../testing/world.js'
import { openPersonalChat } from './open-personal.js'
import { audited, chat, message } from './testing-stage.js'

test('the list has the caller’s chats, newest first, and archived ones when asked', async (t) => {
  const { ctx, alice, bob, mia, office, attic, news } = await world(t)
  const personal = await transaction(ctx, (tx) => openPersonalChat(tx, ctx, alice.id, bob.id))
  const ids = async (someone: Person, query: object = {}) =>
    (await someone.call(listChats, { query })).data.map(({ id }) => id)

  assert.deepEqual(await ids(alice), [personal, news.id, office.id])
  assert.deepEqual(await ids(alice, { order: 'asc' }), [office.id, news.id, personal])
  assert.deepEqual(await ids(alice, { archived: true }), [personal, news.id, attic.id, office.id])
  assert.deepEqual(await ids(alice, { archived: false }), [personal, news.id, office.id])
  assert.deepEqual(await ids(alice, { personal: true, archived: true }), [personal])
  assert.deepEqual(await ids(alice, { personal: false }), [news.id, office.id])
  assert.deepEqual(await ids(mia), [office.id])
  assert.deepEqual(await ids(bob, { availability: 'public' }), [news.id])
  assert.deepEqual(await ids(bob, { availability: 'public', personal: true }), [])
  assert.deepEqual(await ids(mia, { availability: 'public' }), [])
  await join({ ctx }, news, mia)
  assert.deepEqual(await ids(mia, { availability: 'public' }), [news.id])
})

test('the list sorts and narrows by the last message, in every way of asking', async (t) => {
  const stage = await world(t)
  const { alice, clock, office, news } = stage
  clock.freeze(true)
  const mine: number[] = []
  for (let index = 0; index < 7; index += 1) {
    clock.advance(60_000)
    mine.push((await alice.call(createChat, chat(`chat ${index}`))).data.id)
  }
  clock.advance(60_000)
  await message(stage, mine[2] as number, alice.id)
  const moment = new Date(clock.now()).toISOString()
  clock.advance(60_000)
  await message(stage, mine[0] as number, alice.id)

  const [a, b, c, d, e, f, g] = mine as [number, number, number, number, number, number, number]
  const ids = async (query: object) => (await alice.call(listChats, { query })).data.map(({ id }) => id)
  const byActivity = [a, c, g, f, e, d, b, news.id, office.id]
  assert.deepEqual(await ids({ sort: 'last_message_at' }), byActivity)
  assert.deepEqual(await ids({ sort: 'last_message_at', order: 'asc' }), [...byActivity].reverse())
  assert.deepEqual(await ids({ 'sort[last_message_at]': 'asc' }), [...byActivity].reverse())
  assert.deepEqual(await ids({ last_message_at_after: moment }), [a])
  assert.deepEqual(await ids({ last_message_at_before: moment, limit: 3 }), [g, f, e])
  const offset = moment.replace('Z', '+00:00')
  assert.deepEqual(await ids({ last_message_at_after: offset, sort: 'last_message_at' }), [a])
  assert.deepEqual(await ids({ last_message_at_after: moment, last_message_at_before: moment }), [])

  const seen: number[] = []
  let query: object = { sort: 'last_message_at', limit: 2 }
  for (;;) {
    const { data, meta } = await alice.call(listChats, { query })
    seen.push(...data.map(({ id }) => id))
    if (!meta.paginate.has_next) break
    query = { cursor: meta.paginate.next_page, limit: 2 }
  }
  assert.deepEqual(seen, byActivity)
})

test('a chat that moved above the first page comes with prev_page', async (t) => {
  const stage = await world(t)
  const { alice, clock, office } = stage
  for (let index = 0; index < 4; index += 1) {
    clock.advance(1000)
    await alice.call(createChat, chat(`chat ${index}`))
  }
  const first = await alice.call(listChats, { query: { sort: 'last_message_at', limit: 2 } })
  clock.advance(1000)
  await message(stage, office.id, alice.id)
  const cursor = first.meta.paginate.prev_page
  const { data, meta } = await alice.call(listChats, { query: { cursor } })
  assert.deepEqual(
    data.map(({ id }) => id),
    [office.id],
  )
  assert.deepEqual([meta.paginate.has_next, meta.paginate.has_prev], [true, false])
  const again = await alice.call(listChats, { query: { cursor: meta.paginate.prev_page } })
  assert.deepEqual([again.data, again.meta.paginate.has_next], [[], true])
})

test('pages by number are as they were', async (t) => {
  const { alice, office, news } = await world(t)
  const page = async (number: number) =>
    (await alice.call(listChats, { query: { page: number, per: 1 } })).data.map(({ id }) => id)
  assert.deepEqual([await page(1), await page(2), await page(3)], [[news.id], [office.id], []])
  const sorted = await alice.call(listChats, {
    query: { page: 2, per: 1, sort: 'last_message_at', order: 'asc' },
  })
  assert.equal(sorted.data[0]?.id, news.id)
})

test('who is in very many chats pages through the same list', async (t) => {
  const stage = await world(t)
  const { ctx, alice, bob } = stage
  // More than are sorted at once, and more chats of others between them than one look at the newest sees.
  await insertBulk(
    ctx,
    sql`insert into chats (kind, name, owner_id, meet_slug, created_at, last_message_at)
     select 'conversation', 'chat ' || n, ${bob.id}::bigint, 'slug', now(), date_trunc('milliseconds', now()) - n * interval '1 second'
     from generate_series(1, 4000) n`,
  )
  await ctx.pool.query(
    `insert into chat_members (chat_id, user_id, role, joined_at)
     select id, $1, 'member', now() from chats where name like 'chat %' and (split_part(name, ' ', 2))::int > 3200`,
    [alice.id],
  )
  const walk = async (sort: 'id' | 'last_message_at', order: 'asc' | 'desc') => {
    const seen: string[] = []
    let query: object = { sort, order, limit: 50 }
    for (;;) {
      const { data, meta } = await alice.call(listChats, { query })
      seen.push(
        ...data.map(
          ({ last_message_at, id }) =>
            `${sort === 'id' ? '' : last_message_at} ${String(id).padStart(6, '0')}`,
        ),
      )
      if (!meta.paginate.has_next) return seen
      query = { cursor: meta.paginate.next_page }
    }
  }
  for (const sort of ['id', 'last_message_at'] as const) {
    const down = await walk(sort, 'desc')
    assert.equal(down.length, 802)
    assert.deepEqual(down, [...down].sort().reverse())
    assert.deepEqual(await walk(sort, 'asc'), [...down].reverse())
  }
})

test('the list refuses what it does not know', async (t) => {
  const { alice } = await world(t)
  const refused = (query: object, code: string) =>
    assert.rejects(alice.call(listChats, { query }), { status: 400, code })
  await refused({ sort: 'name' }, 'in')
  await refused({ order: 'up' }, 'in')
  await refused({ availability: 'all' }, 'in')
  await refused({ last_message_at_after: 'yesterday' }, 'invalid')
  await refused({ last_message_at_before: '2026-02-30' }, 'invalid')
  await refused({ limit: 0 }, 'invalid')
  await refused({ cursor: 'no-such-cursor-at-all' }, 'invalid')
})

test('the owner lists every conversation and channel, and each look is written down', async (t) => {
  const stage = await world(t)
  const { ctx, owner, admin, alice, bob, office, attic, news } = stage
  await transaction(ctx, (tx) => openPersonalChat(tx, ctx, alice.id, bob.id))
  const ids = async (query: object = {}) =>
    (await owner.call(listCompanyChats, { query })).data.map(({ id }) => id)
  assert.deepEqual(await ids(), [news.id, attic.id, office.id])
  assert.deepEqual(await ids({ activity: 'active' }), [news.id, office.id])
  assert.deepEqual(await ids({ activity: 'archived' }), [attic.id])
  assert.deepEqual(await ids({ query: ' OFFI' }), [office.id])
  assert.deepEqual(await ids({ query: 'o_f' }), [])
  const first = await owner.call(listCompanyChats, { query: { limit: 2 } })
  const rest = await ids({ cursor: first.meta.paginate.next_page })
  assert.deepEqual(rest, [office.id])

  await assert.rejects(ids({ activity: 'old' }), { status: 400, code: 'in' })
  await assert.rejects(admin.call(listCompanyChats), { status: 403, code: 'insufficient_scope' })
  await ctx.db.updateTable('workspace').set({ plan: 'standard' }).execute()
  await assert.rejects(ids(), { status: 403, code: 'not_authorized' })
  const log = await audited(stage, 'company_chats_accessed')
  assert.equal(log.length, 7)
  assert.deepEqual(
    [log[0]?.actor_id, log[0]?.entity_type, log[0]?.entity_id, log[0]?.details],
    [owner.id, 'User', String(owner.id), {}],
  )
})

test('pages by number have a narrower limit, and so has the list of the workspace', async (t) => {
  const { alice, owner, clock } = await world(t, { limits: true })
  clock.freeze(true)
  const numbered = () => alice.call(listChats, { query: { page: 1 } })
  await Promise.all(Array.from({ length: 10 }, numbered))
  await assert.rejects(numbered(), { status: 429 })
  await assert.rejects(alice.call(listChats), { status: 429 })
  await alice.call(listChats, { query: { limit: 5 } })
  await Promise.all(Array.from({ length: 30 }, () => owner.call(listCompanyChats)))
  await assert.rejects(owner.call(listCompanyChats), { status: 429 })
})
