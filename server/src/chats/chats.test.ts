import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  createChat,
  getChat,
  listChats,
  listCompanyChats,
  markChatUnread,
  updateChat,
} from '@parley/contract'
import { transaction } from '../platform/db/transaction.js'
import { type Person, world } from '../testing/world.js'
import { openPersonalChat } from './personal.js'
import { audited, lines, message, rolesIn, tag, thread } from './testing-stage.js'

const chat = (name: string, more: object = {}) => ({ body: { chat: { name, ...more } } })
const at = (id: number) => ({ params: { id } })

test('a new chat has its creator, the people asked for, and a video room', async (t) => {
  const stage = await world(t)
  const { alice, bob, admin, owner, bot } = stage
  const { data } = await alice.call(
    createChat,
    chat('  Straße & Co  ', { member_ids: [bob.id, admin.id, owner.id, bot.id, bob.id] }),
  )

  assert.equal(data.name, 'Straße & Co')
  assert.equal(data.owner_id, alice.id)
  const members = [alice.id, bob.id, admin.id, owner.id, bot.id].sort((a, b) => a - b)
  assert.deepEqual(data.member_ids, members)
  assert.deepEqual([data.channel, data.personal, data.public, data.archived], [false, false, false, false])
  assert.equal(data.last_message_at, data.created_at)
  assert.match(data.meet_room_url, /^http.*\/meet\/[a-z0-9-]+-[0-9a-f]{8}$/)
  assert.deepEqual((await alice.call(getChat, at(data.id))).data, data)
  const roles = await rolesIn(stage, data.id)
  assert.deepEqual(
    [alice, bob, admin, owner, bot].map(({ id }) => roles[id]),
    ['owner', 'member', 'admin', 'admin', 'member'],
  )
  assert.deepEqual(await lines(stage, data.id), [])
})

test('everybody who hears of a new chat hears of its first people, all in one event', async (t) => {
  const stage = await world(t)
  const { alice, bob, bot, events } = stage
  const { data } = await alice.call(createChat, chat('plans', { member_ids: [bob.id, bot.id] }))

  const told = await events()
  assert.deepEqual(
    told.map(({ type, chat_id }) => [type, chat_id]),
    [
      ['chat.created', data.id],
      ['chat_members.added', data.id],
    ],
  )
  assert.deepEqual(told[1]?.payload.user_ids, [bob.id, bot.id])
  assert.deepEqual(told[1]?.payload.root_chat_id, data.id)
  const log = await audited(stage, 'chat_created', 'user_chat_join')
  assert.deepEqual(
    log.map(({ event_key, actor_id, entity_id, details }) => [event_key, actor_id, entity_id, details]),
    [
      ['chat_created', alice.id, String(data.id), {}],
      ['user_chat_join', bob.id, String(data.id), { inviter_id: alice.id }],
      ['user_chat_join', bot.id, String(data.id), { inviter_id: alice.id }],
    ],
  )
})

test('a channel makes a bot its editor and a tag bring its people', async (t) => {
  const stage = await world(t)
  const { alice, bob, admin, bot } = stage
  const design = await tag(stage, 'Design', [bob, admin])
  const body = { channel: true, public: true, member_ids: [bot.id], group_tag_ids: [design, 999] }
  const { body: answer, headers } = await alice.send(createChat, chat('Design news', body))

  const { data } = answer
  assert.deepEqual(data.group_tag_ids, [design])
  assert.deepEqual([data.channel, data.public], [true, true])
  assert.equal(headers.get('Parley-Ignored'), 'group_tag_ids')
  const roles = await rolesIn(stage, data.id)
  assert.deepEqual(
    [alice, bob, admin, bot].map(({ id }) => roles[id]),
    ['owner', 'member', 'admin', 'editor'],
  )
  const [bound] = await audited(stage, 'tag_added_to_chat')
  assert.deepEqual(
    [bound?.entity_id, bound?.details],
    [String(design), { chat_id: data.id, tag_name: 'Design' }],
  )
})

test('ids that name nobody active are left out of a new chat and named in a header', async (t) => {
  const { alice, bob, person } = await world(t)
  const idle = await person({ suspended: true })
  const member_ids = [bob.id, idle.id, 9_999, -1, 9_000_000_000]
  const { body, headers } = await alice.send(createChat, chat('few', { member_ids }))
  assert.deepEqual(body.data.member_ids, [alice.id, bob.id])
  assert.equal(headers.get('Parley-Ignored'), 'member_ids')
})

test('a new chat is refused without a name, to guests, and with a bot that is not theirs to add', async (t) => {
  const { ctx, alice, bob, mia, admin, bot, events } = await world(t)
  await assert.rejects(alice.call(createChat, chat('  ')), { status: 422, code: 'blank' })
  await assert.rejects(alice.call(createChat, chat('x'.repeat(256))), { status: 422, code: 'too_long' })
  await assert.rejects(alice.call(createChat, { body: {} as never }), { status: 400, code: 'required' })
  await assert.rejects(mia.call(createChat, chat('mine')), { status: 403, code: 'insufficient_scope' })
  const denied = bob.call(createChat, chat('with bot', { member_ids: [admin.id, bot.id] }))
  await assert.rejects(denied, ({ status, code, errors }) => {
    assert.deepEqual([status, code, errors[0].value], [403, 'bot_add_denied', String(bot.id)])
    return true
  })
  await ctx.db.updateTable('bots').set({ single_chat: true }).where('user_id', '=', bot.id).execute()
  const occupied = alice.call(createChat, chat('second', { member_ids: [bot.id] }))
  await assert.rejects(occupied, { status: 409, code: 'single_chat_bot_occupied' })
  await assert.rejects(bot.call(createChat, chat('mine')), { status: 409, code: 'single_chat_bot_occupied' })
  assert.deepEqual(await events(), [])
})

test('who may add a bot is the bot’s own setting', async (t) => {
  const { ctx, alice, bob, admin, owner, bot } = await world(t)
  const table = {
    creator: [alice],
    creator_admin: [alice, admin, owner],
    creator_admin_user: [alice, admin, owner, bob],
    anyone: [alice, admin, owner, bob],
  }
  for (const [who_can_add, allowed] of Object.entries(table)) {
    await ctx.db.updateTable('bots').set({ who_can_add }).where('user_id', '=', bot.id).execute()
    for (const someone of [alice, admin, owner, bob]) {
      const asked = someone.call(createChat, chat('try', { member_ids: [bot.id] }))
      if (allowed.includes(someone)) await asked
      else await assert.rejects(asked, { status: 403, code: 'bot_add_denied' })
    }
  }
})

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
  await ctx.db
    .insertInto('chat_members')
    .values({ chat_id: news.id, user_id: mia.id, role: 'member', joined_at: new Date() })
    .execute()
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
  assert.deepEqual([meta.paginate.has_next, meta.paginate.has_prev], [false, false])
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
  await ctx.pool.query(
    `insert into chats (kind, name, owner_id, meet_slug, created_at, last_message_at)
     select 'conversation', 'chat ' || n, $1, 'slug', now(), date_trunc('milliseconds', now()) - n * interval '1 second' from generate_series(1, 4000) n`,
    [bob.id],
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

test('a rename is told in the chat, to listeners and in the log, and once only', async (t) => {
  const stage = await world(t)
  const { alice, bob, office, events } = stage
  const change = (someone: Person, body: object) =>
    someone.call(updateChat, { ...at(office.id), body: { chat: body } })

  const { data } = await alice.call(updateChat, {
    ...at(office.id),
    body: { chat: { name: 'HQ', public: true } },
  })
  assert.deepEqual([data.name, data.public], ['HQ', true])
  await change(bob, { name: 'HQ', public: true })
  await change(bob, {})
  assert.deepEqual(await lines(stage, office.id), [
    'Alice renamed the chat to "HQ"',
    'Alice made the chat open',
  ])
  const told = (await events()).filter(({ type }) => type === 'chat.updated')
  assert.equal(told.length, 1)
  const log = await audited(stage, 'chat_renamed', 'chat_permission_changed')
  assert.deepEqual(
    log.map(({ details }) => details),
    [{ old_name: 'office', new_name: 'HQ' }, { public_access: true }],
  )
})

test('a closed chat is changed by those who manage it, an open one by every employee', async (t) => {
  const { ctx, alice, bob, admin, mia, bot, office, news, attic } = await world(t)
  const rename = (someone: Person, id: number) =>
    someone.call(updateChat, { ...at(id), body: { chat: { name: `by ${someone.id}` } } })
  for (const someone of [bob, mia, bot, admin])
    await assert.rejects(rename(someone, office.id), { status: 403, code: 'not_authorized' })
  for (const someone of [bob, admin, bot]) await rename(someone, news.id)
  await assert.rejects(rename(mia, news.id), { status: 403, code: 'not_authorized' })
  await assert.rejects(rename(alice, attic.id), { status: 403, code: 'not_authorized' })
  const personal = await transaction(ctx, (tx) => openPersonalChat(tx, ctx, alice.id, bob.id))
  await assert.rejects(rename(alice, personal), { status: 403, code: 'not_authorized' })
  await assert.rejects(rename(alice, 9_999), { status: 404, code: 'not_found' })
  const blank = alice.call(updateChat, { ...at(office.id), body: { chat: { name: ' ' } } })
  await assert.rejects(blank, { status: 422, code: 'blank' })
})

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
  const zero = alice.call(markChatUnread, { ...at(office.id), body: { message_id: 0 } })
  await assert.rejects(zero, { status: 400, code: 'invalid' })
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

test('the owner lists every conversation and channel, and each look is written down', async (t) => {
  const stage = await world(t)
  const { ctx, owner, admin, alice, bob, office, attic, news } = stage
  await transaction(ctx, (tx) => openPersonalChat(tx, ctx, alice.id, bob.id))
  const ids = async (query: object = {}) =>
    (await owner.call(listCompanyChats, { query })).data.map(({ id }) => id)
  assert.deepEqual(await ids(), [news.id, attic.id, office.id])
  assert.deepEqual(await ids({ activity: 'active' }), [news.id, office.id])
  assert.deepEqual(await ids({ activity: 'archived' }), [attic.id])
  const first = await owner.call(listCompanyChats, { query: { limit: 2 } })
  const rest = await ids({ cursor: first.meta.paginate.next_page })
  assert.deepEqual(rest, [office.id])

  await assert.rejects(ids({ activity: 'old' }), { status: 400, code: 'in' })
  await assert.rejects(admin.call(listCompanyChats), { status: 403, code: 'insufficient_scope' })
  await ctx.db.updateTable('workspace').set({ plan: 'standard' }).execute()
  await assert.rejects(ids(), { status: 403, code: 'not_authorized' })
  const log = await audited(stage, 'company_chats_accessed')
  assert.equal(log.length, 5)
  assert.deepEqual(
    [log[0]?.actor_id, log[0]?.entity_type, log[0]?.entity_id, log[0]?.details],
    [owner.id, 'User', String(owner.id), {}],
  )
})

test('pages by number have a narrower limit, and so has the list of the workspace', async (t) => {
  const { alice, owner } = await world(t, { limits: true })
  const numbered = () => alice.call(listChats, { query: { page: 1 } })
  await Promise.all(Array.from({ length: 10 }, numbered))
  await assert.rejects(numbered(), { status: 429 })
  await assert.rejects(alice.call(listChats), { status: 429 })
  await alice.call(listChats, { query: { limit: 5 } })
  await Promise.all(Array.from({ length: 30 }, () => owner.call(listCompanyChats)))
  await assert.rejects(owner.call(listCompanyChats), { status: 429 })
})
