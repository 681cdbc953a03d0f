import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import {
  addChatMembers,
  bindChatTags,
  type ChatCard,
  createDraft,
  createGroupTag,
  createMessage,
  createThread,
  createUser,
  deleteMessage,
  getChatCard,
  getStart,
  listChats,
  listOwnChatCards,
  markChatRead,
  markChatUnread,
  setPreferences,
  updateChat,
  updateMessage,
  updateUser,
} from '@parley/contract'
import { sql } from 'kysely'
import { createOwnCards } from '../chats/own-cards.js'
import { findOwnChats } from '../chats/own-chat-queries.js'
import { insertBulk } from '../testing/bulk.js'
import { rowsReadBy } from '../testing/rows-read.js'
import { type Person, type World, world } from '../testing/world.js'

const saying = (entity_id: number, content: string, more: object = {}) => ({
  body: { message: { entity_id, content, ...more } },
})
const named = (id: number) => ({ params: { id } })

async function session(w: World, person: Person) {
  return w.as(person.id, { session: true })
}

function counters({ unread_count, mention_count }: ChatCard) {
  return [unread_count, mention_count]
}

test('a client starts with its chats, who is in them, and where the stream goes on', async (t) => {
  const w = await world(t)
  const { alice, bob, office, drain, ctx } = w
  const web = await session(w, bob)
  await alice.call(createMessage, saying(office.id, 'hello @bob'))
  const { data: personal } = await alice.call(createMessage, saying(bob.id, 'psst', { entity_type: 'user' }))
  await bob.call(createDraft, {
    body: { draft: { entity_type: 'discussion', entity_id: office.id, content: 'd' } },
  })
  await drain()
  const { data } = await web.call(getStart)
  const newest = await ctx.db
    .selectFrom('events')
    .select(({ fn }) => fn.max('position').as('position'))
    .executeTakeFirst()
  assert.equal(data.position, String(newest?.position))
  assert.equal(data.user.id, bob.id)
  assert.equal(data.role, 'user')
  assert.ok(data.may.includes('chats.create') && !data.may.includes('users.invite'))
  assert.deepEqual(
    data.chats.map(({ id, kind, personal_user_id }) => ({ id, kind, personal_user_id })),
    [
      { id: personal.chat_id, kind: 'personal', personal_user_id: alice.id },
      { id: office.id, kind: 'conversation', personal_user_id: null },
    ],
  )
  assert.equal(data.chats[0]?.name, 'Alice')
  const card = data.chats[1] as ChatCard
  assert.deepEqual(counters(card), [1, 1])
  assert.equal(card.members_count, 4)
  assert.equal(card.last_message?.content, 'hello @bob')
  assert.deepEqual(data.people.map(({ id }) => id).sort(), [alice.id, bob.id].sort())
  assert.deepEqual(
    data.drafts.map(({ content }) => content),
    ['d'],
  )
  assert.deepEqual((await web.call(getChatCard, named(office.id))).data, card)
})

test('a client that starts again gets what has changed since', async (t) => {
  const w = await world(t)
  const { alice, bob, office } = w
  const web = await session(w, bob)
  const card = async (id = office.id) => {
    const [started, read] = [(await web.call(getStart)).data.chats, await web.call(getChatCard, named(id))]
    const shown = started.find((chat) => chat.id === id) as ChatCard
    assert.deepEqual(shown, read.data)
    return shown
  }
  const { data: message } = await alice.call(createMessage, saying(office.id, 'one @bob'))
  assert.equal((await card()).last_message?.content, 'one @bob')
  await alice.call(updateMessage, { ...named(message.id), body: { message: { content: 'two' } } })
  assert.equal((await card()).last_message?.content, 'two')
  await alice.call(updateChat, { ...named(office.id), body: { chat: { name: 'Workshop' } } })
  assert.equal((await card()).name, 'Workshop')
  const { data: guest } = await w.admin.call(createUser, {
    body: { user: { email: 'late@example.com', first_name: 'Late' } },
  })
  const before = await card()
  await alice.call(addChatMembers, { ...named(office.id), body: { member_ids: [guest.id] } })
  assert.equal((await card()).members_count, before.members_count + 1)
  const { data: tag } = await w.admin.call(createGroupTag, { body: { group_tag: { name: 'late' } } })
  await alice.call(bindChatTags, { ...named(office.id), body: { group_tag_ids: [tag.id] } })
  assert.deepEqual((await card()).group_tag_ids, [...before.group_tag_ids, tag.id])
  await web.call(markChatRead, { ...named(office.id), body: { message_id: message.id } })
  assert.deepEqual(counters(await card()), [0, 0])
  const { data: third } = await alice.call(createMessage, saying(office.id, 'three @late'))
  assert.deepEqual(counters(await card()), [1, 0])
  await w.admin.call(updateUser, { ...named(bob.id), body: { user: { list_tags: ['late'] } } })
  assert.deepEqual(counters(await card()), [1, 1])
  await alice.call(deleteMessage, named(third.id))
  assert.equal((await card()).last_message?.content, undefined)
  const { data: personal } = await alice.call(createMessage, saying(bob.id, 'psst', { entity_type: 'user' }))
  assert.equal((await card(personal.chat_id)).name, 'Alice')
  await w.admin.call(updateUser, { ...named(alice.id), body: { user: { first_name: 'Alicia' } } })
  assert.equal((await card(personal.chat_id)).name, 'Alicia')
})

test('a chat that changes while a client starts comes whole as it is now', async (t) => {
  const w = await world(t)
  const { alice, bob, office, ctx } = w
  const own = createOwnCards(ctx)
  const viewer = { user_id: bob.id, role: 'user' as const }
  await alice.call(createMessage, saying(office.id, 'one'))
  const chats = await findOwnChats(ctx.db, { user_id: bob.id, meet: '', known: true }, [office.id])
  const { data: second } = await alice.call(createMessage, saying(office.id, 'two'))
  const { cards } = await own.read(ctx, viewer, chats)
  const card = (JSON.parse(`[${cards}]`) as ChatCard[]).find(({ id }) => id === office.id) as ChatCard
  assert.equal(card.last_message_id, second.id)
  assert.deepEqual(counters(card), [2, 0])
})

test('a card says what its reader may do, by the rules that judge it', async (t) => {
  const w = await world(t)
  const { alice, bob, mia, admin, office, attic, news } = w
  const card = async (person: Person, id: number) =>
    (await (await session(w, person)).call(getChatCard, named(id))).data
  const owner = await card(alice, office.id)
  assert.equal(owner.my_role, 'owner')
  for (const act of [
    'write',
    'pin',
    'edit',
    'archive',
    'add_members',
    'remove_members',
    'set_roles',
  ] as const)
    assert.ok(owner.may.includes(act), act)
  assert.deepEqual((await card(bob, office.id)).may, [
    'write',
    'pin',
    'start_thread',
    'add_members',
    'bind_tags',
    'leave',
  ])
  assert.deepEqual((await card(mia, office.id)).may, ['write', 'pin', 'start_thread'])
  assert.deepEqual((await card(alice, attic.id)).may, ['unarchive', 'leave'])
  const open = await card(bob, news.id)
  assert.deepEqual([open.my_role, open.read_message_id], [null, null])
  assert.deepEqual(open.may, ['start_thread', 'edit', 'add_members', 'bind_tags'])
  await assert.rejects(card(admin, office.id), { status: 403, code: 'not_authorized' })
  await assert.rejects(card(bob, 999_999), { status: 404, code: 'not_found' })
})

test('unread is what others wrote after the pointer, without what was deleted', async (t) => {
  const w = await world(t)
  const { alice, bob, mia, office } = w
  const web = await session(w, bob)
  const unread = async () => counters((await web.call(getChatCard, named(office.id))).data)
  const { data: first } = await alice.call(createMessage, saying(office.id, 'one'))
  const { data: second } = await alice.call(createMessage, {
    ...saying(office.id, 'two @all'),
    idempotency_key: 'k',
  })
  const { data: third } = await mia.call(createMessage, saying(office.id, 'three @bob @bob'))
  assert.deepEqual(await unread(), [3, 2])
  await alice.call(deleteMessage, named(second.id))
  assert.deepEqual(await unread(), [2, 1])
  await web.call(markChatRead, { ...named(office.id), body: { message_id: first.id } })
  assert.deepEqual(await unread(), [1, 1])
  await web.call(markChatRead, { ...named(office.id), body: { message_id: third.id } })
  assert.deepEqual(await unread(), [0, 0])
  await web.call(markChatUnread, { ...named(office.id), body: { message_id: third.id } })
  assert.deepEqual(await unread(), [1, 1])
  await bob.call(createMessage, saying(office.id, 'my own'))
  assert.deepEqual(await unread(), [0, 0])
})

test('followed threads with something unread are counted', async (t) => {
  const w = await world(t)
  const { alice, bob, office } = w
  const web = await session(w, bob)
  const { data: root } = await bob.call(createMessage, saying(office.id, 'root'))
  const { data: thread } = await bob.call(createThread, named(root.id))
  assert.equal((await web.call(getStart)).data.unread_threads, 0)
  await alice.call(createMessage, saying(thread.id, 'reply', { entity_type: 'thread' }))
  assert.equal((await web.call(getStart)).data.unread_threads, 1)
})

const FIRST = 50
const MINE = 1_000_000

/** Bob is in so many more chats, of which three each were written to at the same time; the last ones are archived and hidden. */
async function fillChats(w: World, count: number) {
  const { ctx, alice, bob } = w
  await insertBulk(
    w.ctx,
    sql`insert into chats (id, kind, name, public, owner_id, meet_slug, created_at, last_message_at, archived_at)
      select ${sql.lit(MINE)} + n, 'conversation', 'Room ' || n, false, ${alice.id}::bigint, 'room' || n, now(),
        timestamptz '2020-01-31 00:00Z' + n / 3 * interval '1 s', case when n = ${sql.lit(count)} - 1 then now() end
      from generate_series(0, ${sql.lit(count)} - 1) n`,
    sql`insert into chat_members (chat_id, user_id, role, joined_at, place, hidden)
      select id, ${bob.id}::bigint, 'owner', now(), 'group', id = ${sql.lit(MINE)} + ${sql.lit(count)} - 2
      from chats where name like 'Room %'`,
  )
  await ctx.pool.query('analyze chats, chat_members')
}

/** The ids of Bob's active chats as they stand in his list. */
async function listedIds({ ctx, bob }: World) {
  const { rows } = await ctx.pool.query<{ id: number }>(
    `select c.id from chats c join chat_members m on m.chat_id = c.id
     where m.user_id = $1 and c.kind <> 'thread' and c.archived_at is null and not m.hidden order by c.last_message_at desc, c.id desc`,
    [bob.id],
  )
  return rows.map(({ id }) => Number(id))
}

const idsOf = (cards: readonly ChatCard[]) => cards.map(({ id }) => id)

async function crowded(t: TestContext, count: number) {
  const w = await world(t)
  await fillChats(w, count)
  return { w, web: await session(w, w.bob), listed: await listedIds(w) }
}

test('who is in many chats starts with the first fifty, and gets the others page by page', async (t) => {
  const { web, listed } = await crowded(t, 280)
  const { data: start } = await web.call(getStart)
  assert.deepEqual(idsOf(start.chats), listed.slice(0, FIRST))
  const got = idsOf(start.chats)
  for (let cursor = start.next_chats; cursor !== null; ) {
    const { data, people, meta } = await web.call(listOwnChatCards, { query: { cursor, limit: 70 } })
    assert.ok(meta.paginate.has_prev)
    assert.ok(people.length > 0)
    got.push(...idsOf(data))
    cursor = meta.paginate.has_next ? meta.paginate.next_page : null
  }
  assert.deepEqual(got, listed)
  const first = await web.call(listOwnChatCards, { query: { limit: FIRST } })
  assert.deepEqual(first.data, start.chats)
  const { paginate } = (
    await web.call(listOwnChatCards, { query: { cursor: first.meta.paginate.next_page } })
  ).meta
  const back = await web.call(listOwnChatCards, { query: { cursor: paginate.prev_page } })
  assert.deepEqual(idsOf(back.data), listed.slice(0, FIRST))
})

test('who is in few chats gets all of them at once', async (t) => {
  const w = await world(t)
  const web = await session(w, w.bob)
  assert.equal((await web.call(getStart)).data.next_chats, null)
  assert.equal((await web.call(listOwnChatCards, { query: {} })).meta.paginate.has_next, false)
  const exact = await crowded(t, FIRST - (await listedIds(w)).length + 2)
  const { data } = await exact.web.call(getStart)
  assert.deepEqual([idsOf(data.chats), data.next_chats], [exact.listed, null])
})

test('a cursor of another list, or of nobody, is refused', async (t) => {
  const { web, w } = await crowded(t, 150)
  const other = await w.bob.call(listChats, { query: { limit: 1 } })
  for (const cursor of [other.meta.paginate.next_page, 'x'.repeat(40)])
    await assert.rejects(web.call(listOwnChatCards, { query: { cursor } }), { status: 400, code: 'invalid' })
})

test('chats at the top of the list come first, however long ago they were written to', async (t) => {
  const { w, web, listed } = await crowded(t, 150)
  const [favourite, placed] = [listed.at(-1), listed.at(-2)] as [number, number]
  const sections = [{ id: 'a', name: 'Mine', chat_ids: [placed, listed[0]] }, 'odd', { chat_ids: 7 }]
  const preferences = { favourite_chat_ids: [favourite, w.attic.id, 1.5, null, 10 ** 30, 'x'], sections }
  await web.call(setPreferences, { body: { preferences } })
  const { data } = await web.call(getStart)
  assert.deepEqual(idsOf(data.chats), [...listed.slice(0, FIRST), placed, favourite])
  const { data: next } = await web.call(listOwnChatCards, { query: { cursor: data.next_chats as string } })
  assert.deepEqual(idsOf(next), listed.slice(FIRST))
})

test('cards of every page are as they are now, in whichever order pages are read', async (t) => {
  const { w, web, listed } = await crowded(t, 260)
  const { bob } = w
  const rooms = listed.filter((id) => id >= MINE)
  const [near, far] = [rooms[50], rooms.at(-1)] as [number, number]
  const { data: start } = await web.call(getStart)
  const read = async () => {
    const { data: first } = await web.call(getStart)
    const { data } = await web.call(listOwnChatCards, {
      query: { cursor: start.next_chats as string, limit: 500 },
    })
    return [...first.chats, ...data]
  }
  const check = async () => {
    const cards = await read()
    for (const id of [near, far]) {
      const shown = cards.find((card) => card.id === id)
      assert.deepEqual(shown, (await web.call(getChatCard, named(id))).data)
    }
    return cards
  }
  await check()
  await bob.call(updateChat, { ...named(far), body: { chat: { name: 'Renamed' } } })
  await bob.call(updateChat, { ...named(near), body: { chat: { name: 'Renamed too' } } })
  await check()
  await bob.call(createMessage, saying(far, 'here we are'))
  const moved = await check()
  assert.equal(moved[0]?.id, far)
  assert.equal(moved.filter(({ id }) => id === far).length, 1)
})

test('a page of many chats makes the cards of that page alone', async (t) => {
  const { w, web } = await crowded(t, 4000)
  const { data } = await web.call(getStart)
  const pages = {
    start: () => web.call(getStart),
    page: () => web.call(listOwnChatCards, { query: { cursor: data.next_chats as string, limit: 100 } }),
  }
  for (const [name, work] of Object.entries(pages)) {
    const rows = await rowsReadBy(t, w.ctx, work)
    // The memberships and the times of their chats, twice for a page, as it looks behind itself.
    assert.ok(rows < 18_000, `${name}: ${rows} rows are read`)
  }
})
