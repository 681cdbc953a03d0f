import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  createGroupTag,
  createMessage,
  createThread,
  deleteUser,
  listChatCommands,
  listPeople,
  listRoster,
  lookUpChats,
  lookUpGroupTags,
  type PaginationMeta,
} from '@parley/contract'
import { world } from '../testing/world.js'

const ids = (rows: { id: number }[]) => rows.map(({ id }) => id)

test('cards come by id in the order asked for, also of those who are gone', async (t) => {
  const w = await world(t)
  const alice = await w.as(w.alice.id, { session: true })
  await w.admin.call(deleteUser, { params: { id: w.bob.id } })
  const { data } = await alice.call(listPeople, { query: { ids: [w.bot.id, 999_999, w.bob.id, w.mia.id] } })
  assert.deepEqual(
    data.map(({ id, deleted, bot, role }) => [id, deleted, bot, role]),
    [
      [w.bot.id, false, true, 'user'],
      [w.bob.id, true, false, 'user'],
      [w.mia.id, false, false, 'multi_guest'],
    ],
  )
  const many = Array.from({ length: 201 }, (_, index) => index + 1)
  await assert.rejects(alice.call(listPeople, { query: { ids: many } }), { status: 400, code: 'too_long' })
  await assert.rejects(w.bot.call(listPeople), { status: 403, code: 'not_authorized' })
})

test('people and bots are found by the beginnings of their names, members of the chat first', async (t) => {
  const w = await world(t)
  const { ctx } = w
  const anna = await w.person({ nickname: 'zed', first_name: 'Anna-Maria' })
  const away = await w.person({ nickname: 'mara', suspended: true })
  await ctx.db.updateTable('users').set({ last_name: 'Moss' }).where('id', '=', w.mia.id).execute()
  const alice = await w.as(w.alice.id, { session: true })
  const found = async (query: string, chat_id?: number) =>
    ids((await alice.call(listPeople, { query: { query, chat_id } })).data)
  assert.deepEqual(await found('m'), [anna.id, w.mia.id])
  assert.deepEqual(await found('M', w.office.id), [w.mia.id, anna.id])
  assert.deepEqual(await found('mo mi'), [w.mia.id])
  assert.deepEqual(await found('@zed'), [anna.id])
  assert.deepEqual(await found('help'), [w.bot.id])
  assert.deepEqual(await found('%'), [])
  assert.ok(!(await found('')).includes(away.id))
  assert.equal((await alice.call(listPeople, { query: { limit: 2 } })).data.length, 2)

  const mia = await w.as(w.mia.id, { session: true })
  assert.deepEqual(ids((await mia.call(listPeople, { query: { query: 'anna' } })).data), [])
  assert.deepEqual(ids((await mia.call(listPeople, { query: { ids: [anna.id, w.bob.id] } })).data), [
    w.bob.id,
  ])
  const closed = { status: 403, code: 'not_authorized' }
  await assert.rejects(mia.call(listPeople, { query: { chat_id: w.news.id } }), closed)
  await assert.rejects(mia.call(listPeople, { query: { chat_id: 999_999 } }), { status: 404 })
  assert.deepEqual(await ctx.db.selectFrom('audit_events').selectAll().execute(), [])
})

test('chats are looked up by words of their names: own ones, then open ones', async (t) => {
  const w = await world(t)
  const message = { entity_type: 'user' as const, entity_id: w.bob.id, content: 'hello' }
  await w.alice.call(createMessage, { body: { message } })
  const look = async (person: typeof w.alice, query = '') => {
    const session = await w.as(person.id, { session: true })
    const { data } = await session.call(lookUpChats, { query: { query } })
    return data.map(({ name, kind, member, members_count }) => [name, kind, member, members_count])
  }
  assert.deepEqual(await look(w.bob, 'NE'), [['news', 'channel', false, 1]])
  assert.deepEqual(await look(w.bob, 'ali'), [['Alice', 'personal', true, 2]])
  assert.deepEqual(await look(w.bob), [
    ['Alice', 'personal', true, 2],
    ['office', 'conversation', true, 4],
    ['news', 'channel', false, 1],
  ])
  assert.deepEqual(await look(w.mia), [['office', 'conversation', true, 4]])
  assert.deepEqual(await look(w.alice, 'attic'), [])
})

test('tags are looked up by the beginning of a word', async (t) => {
  const w = await world(t)
  for (const name of ['Back office', 'Design'])
    await w.admin.call(createGroupTag, { body: { group_tag: { name } } })
  const look = async (id: number, query?: string) => {
    const { data } = await (await w.as(id, { session: true })).call(lookUpGroupTags, { query: { query } })
    return data.map(({ name }) => name)
  }
  assert.deepEqual(await look(w.alice.id, 'off'), ['Back office'])
  assert.deepEqual(await look(w.alice.id), ['Back office', 'Design'])
  assert.deepEqual(await look(w.mia.id), [])
})

test('commands of the bots in a chat are those of its threads too', async (t) => {
  const w = await world(t)
  await w.ctx.db
    .updateTable('bots')
    .set({ commands: ['/poll', '/help'] })
    .where('user_id', '=', w.bot.id)
    .execute()
  const message = { entity_id: w.office.id, content: 'hello' }
  const { data } = await w.alice.call(createMessage, { body: { message } })
  const thread = (await w.alice.call(createThread, { params: { id: data.id } })).data
  const alice = await w.as(w.alice.id, { session: true })
  for (const id of [w.office.id, thread.chat_id]) {
    const listed = await alice.call(listChatCommands, { params: { id } })
    assert.deepEqual(listed.data, [
      { command: '/help', bot_id: w.bot.id },
      { command: '/poll', bot_id: w.bot.id },
    ])
    assert.deepEqual(ids(listed.people), [w.bot.id])
  }
  const admin = await w.as(w.admin.id, { session: true })
  await assert.rejects(admin.call(listChatCommands, { params: { id: w.office.id } }), { status: 403 })
  await assert.rejects(admin.call(listChatCommands, { params: { id: 999_999 } }), { status: 404 })
})

test('long lists of people and open chats come page by page, each one once', async (t) => {
  const w = await world(t)
  const alice = await w.as(w.alice.id, { session: true })
  const everybody = ids((await alice.call(listPeople)).data)
  const open = ids((await alice.call(lookUpChats, { query: { open: true } })).data)
  assert.deepEqual(open, [w.news.id])
  const chats = ids((await alice.call(lookUpChats)).data)
  const archived = await alice.call(lookUpChats, { query: { archived: true } })
  assert.deepEqual(
    archived.data.map(({ id, member }) => [id, member]),
    [[w.attic.id, true]],
  )
  const elsewhere = { query: { archived: true, query: 'off' } }
  assert.deepEqual((await alice.call(lookUpChats, elsewhere)).data, [])
  async function walk(read: (query: object) => Promise<{ data: { id: number }[]; meta?: PaginationMeta }>) {
    const found: number[] = []
    let cursor: string | undefined
    do {
      const { data, meta } = await read({ limit: 1, ...(cursor ? { cursor } : {}) })
      found.push(...ids(data))
      cursor = meta?.paginate.has_next ? meta.paginate.next_page : undefined
    } while (cursor)
    return found
  }
  assert.deepEqual(await walk((query) => alice.call(listPeople, { query })), everybody)
  assert.deepEqual(await walk((query) => alice.call(lookUpChats, { query })), chats)
})

test('a roster has the role of each member, those with more say first', async (t) => {
  const w = await world(t)
  const alice = await w.as(w.alice.id, { session: true })
  const read = async (query: object = {}) => {
    const { data, meta } = await alice.call(listRoster, { params: { id: w.office.id }, query })
    return { people: data.map(({ person, role }) => `${person.nickname} ${role}`), meta }
  }
  const { people } = await read()
  assert.equal(people[0], 'alice owner')
  assert.ok(people.includes('bob member'))
  const first = await read({ limit: 1 })
  assert.deepEqual(first.people, people.slice(0, 1))
  assert.deepEqual((await read({ cursor: first.meta.paginate.next_page })).people, people.slice(1))
  const all = []
  for (let page = first; ; page = await read({ limit: 1, cursor: page.meta.paginate.next_page })) {
    all.push(...page.people)
    if (!page.meta.paginate.has_next) break
  }
  assert.deepEqual(all, people)
  const last = await read({ cursor: first.meta.paginate.next_page })
  assert.deepEqual((await read({ cursor: last.meta.paginate.prev_page })).people, people.slice(0, 1))
  assert.deepEqual((await read({ query: 'bob' })).people, ['bob member'])
  const admin = await w.as(w.admin.id, { session: true })
  await assert.rejects(admin.call(listRoster, { params: { id: w.office.id } }), { status: 403 })
  await assert.rejects(alice.call(listRoster, { params: { id: 999_999 } }), { status: 404 })
})
