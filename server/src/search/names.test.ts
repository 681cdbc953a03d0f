import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { createMessage, type QueryOf, searchChats, searchUsers } from '@parley/contract'
import { type Person, world } from '../testing/world.js'
import { distance, editsAllowed } from './score.js'

type UsersQuery = QueryOf<typeof searchUsers>
type ChatsQuery = QueryOf<typeof searchChats>

interface Facts {
  first_name: string
  last_name?: string
  nickname: string
  title?: string
  department?: string
}

async function setUp(t: TestContext) {
  const stage = await world(t)
  const { ctx, alice, person } = stage
  const someone = async (
    { nickname, first_name, ...facts }: Facts,
    options: Parameters<typeof person>[0] = {},
  ) => {
    const made = await person({ nickname, first_name, ...options })
    await ctx.db
      .updateTable('users')
      .set({ ...facts, first_name })
      .where('id', '=', made.id)
      .execute()
    return made
  }
  const users = (query: string | UsersQuery, who: Person = alice) =>
    who.call(searchUsers, { query: typeof query === 'string' ? { query } : query })
  const findUsers = async (query: string | UsersQuery, who: Person = alice) =>
    (await users(query, who)).data.map(({ nickname }) => nickname)
  const chat = async (
    name: string,
    more: { public?: boolean; members?: Person[]; kind?: string; archived?: boolean } = {},
  ) => {
    const now = new Date(stage.clock.now())
    const { id } = await ctx.db
      .insertInto('chats')
      .values({
        kind: more.kind ?? 'conversation',
        name,
        public: more.public ?? false,
        owner_id: alice.id,
        meet_slug: `x-${name}`,
        archived_at: more.archived ? now : null,
        created_at: now,
        last_message_at: now,
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    for (const { id: user_id } of more.members ?? [alice])
      await ctx.db
        .insertInto('chat_members')
        .values({ chat_id: id, user_id, role: 'member', joined_at: now })
        .execute()
    return id
  }
  const chats = (query: string | ChatsQuery, who: Person = alice) =>
    who.call(searchChats, { query: typeof query === 'string' ? { query } : query })
  const findChats = async (query: string | ChatsQuery, who: Person = alice) =>
    (await chats(query, who)).data.map(({ name }) => name)
  return { ...stage, someone, users, findUsers, chat, chats, findChats }
}

test('people are found by part of a name and in spite of typos', async (t) => {
  const { someone, findUsers } = await setUp(t)
  await someone({ first_name: 'Александр', last_name: 'Королёв', nickname: 'korolev' })
  await someone({ first_name: 'Иван', last_name: 'Петров', nickname: 'ipetrov' })
  for (const query of [
    'александр',
    'алек',
    'ксанд',
    'Королев',
    'королёв александр',
    'Алексндр',
    'Алексанрд',
    'Олександер',
    'каролев',
  ])
    assert.deepEqual(await findUsers(query), ['korolev'], query)
  for (const query of ['Ивон', 'Ивна', 'Иваан', 'петроф'])
    assert.deepEqual(await findUsers(query), ['ipetrov'], query)
  for (const query of ['Иона', 'Ивнаа', 'ива петр сидоров', 'Алкснр', 'ов', '!', 'лександерр королев иван'])
    assert.deepEqual(await findUsers(query), [], query)
})

test('other fields need a whole word without typos, and mail only those who may see it', async (t) => {
  const { ctx, someone, findUsers, alice, mia, admin, bot } = await setUp(t)
  await someone({ first_name: 'Анна', nickname: 'anna_k', title: 'Главный бухгалтер', department: 'Финансы' })
  for (const query of ['бухгалтер', 'финансы', 'anna_k', 'анна бухгалтер', 'anna_k@example.org'])
    assert.deepEqual(await findUsers(query), ['anna_k'], query)
  for (const query of ['бухгалт', 'бухгалтир', 'финанс', 'ann'])
    assert.deepEqual(await findUsers(query), [], query)
  const mail = 'anna_k@example.org'
  assert.deepEqual(await findUsers(mail, mia), [])
  await ctx.db.updateTable('workspace').set({ show_personal_data: false }).execute()
  for (const who of [alice, bot]) assert.deepEqual(await findUsers(mail, who), [])
  assert.deepEqual(await findUsers(mail, admin), ['anna_k'])
})

test('the deleted are never found, the suspended come last, bots only when public', async (t) => {
  const { ctx, someone, findUsers, bot } = await setUp(t)
  await someone({ first_name: 'Мария', nickname: 'first' }, { suspended: true })
  await someone({ first_name: 'Мария', nickname: 'second' })
  const gone = await someone({ first_name: 'Мария', nickname: 'third' })
  await ctx.db.updateTable('users').set({ deleted_at: new Date() }).where('id', '=', gone.id).execute()
  await someone({ first_name: 'Марианна', nickname: 'fourth' })
  assert.deepEqual(await findUsers('мария'), ['second', 'first'])
  assert.deepEqual(await findUsers('мари'), ['fourth', 'second', 'first'])

  await ctx.db.updateTable('users').set({ first_name: 'Помощник' }).where('id', '=', bot.id).execute()
  assert.deepEqual(await findUsers('помощник'), [])
  await ctx.db.updateTable('bots').set({ who_can_add: 'anyone' }).where('user_id', '=', bot.id).execute()
  assert.deepEqual(await findUsers('помощник'), ['helper_bot'])
  assert.deepEqual(await findUsers({ query: 'помощник', company_roles: ['user'] }), [])
})

test('people are sorted, filtered and paged', async (t) => {
  const { someone, users, findUsers, clock } = await setUp(t)
  clock.freeze(true)
  const start = new Date(clock.now()).toISOString()
  for (const [nickname, first_name] of [
    ['z1', 'Ольга Яшина'],
    ['z2', 'Ольга Абрамова'],
    ['z3', 'Ольга Миронова'],
  ] as const) {
    clock.advance(60_000)
    await someone({ nickname, first_name }, { role: nickname === 'z2' ? 'admin' : 'user' })
  }
  assert.deepEqual(await findUsers('ольга'), ['z3', 'z2', 'z1'])
  assert.deepEqual(await findUsers({ query: 'ольга', order: 'asc' }), ['z1', 'z2', 'z3'])
  assert.deepEqual(await findUsers({ query: 'ольга', sort: 'alphabetical' }), ['z2', 'z3', 'z1'])
  assert.deepEqual(await findUsers({ query: 'ольга', sort: 'creation', order: 'asc' }), ['z1', 'z2', 'z3'])
  assert.deepEqual(await findUsers({ query: 'ольга', company_roles: ['admin'] }), ['z2'])
  assert.deepEqual(await findUsers({ query: 'ольга', created_to: start }), [])
  assert.deepEqual((await findUsers({ query: 'ольга', created_from: start })).length, 3)

  const seen: string[] = []
  let cursor: string | undefined
  for (let page = 0; page < 3; page += 1) {
    const { data, meta } = await users({ query: 'ольга', limit: 1, cursor, sort: 'alphabetical' })
    assert.equal(meta.total, 3)
    seen.push(...data.map(({ nickname }) => nickname))
    cursor = meta.paginate.next_page
  }
  assert.deepEqual(seen, ['z2', 'z3', 'z1'])
  const end = await users({ query: 'ольга', cursor })
  assert.deepEqual([end.data, end.meta.paginate.next_page], [[], cursor])
  assert.deepEqual([end.meta.paginate.has_next, end.meta.paginate.has_prev], [false, true])
  const back = await users({ query: 'ольга', limit: 2, cursor: end.meta.paginate.prev_page })
  assert.deepEqual(
    back.data.map(({ nickname }) => nickname),
    ['z3', 'z1'],
  )
  assert.deepEqual([back.meta.paginate.has_next, back.meta.paginate.has_prev], [false, true])
})

test('a multi-guest finds those of shared chats alone', async (t) => {
  const { someone, findUsers, mia, ctx, office } = await setUp(t)
  const shared = await someone({ first_name: 'Олег', nickname: 'shared' })
  await someone({ first_name: 'Олег', nickname: 'apart' })
  await ctx.db
    .insertInto('chat_members')
    .values({ chat_id: office.id, user_id: shared.id, role: 'member', joined_at: new Date() })
    .execute()
  assert.deepEqual(await findUsers('олег', mia), ['shared'])
})

test('a change of a name is found at once', async (t) => {
  const { ctx, someone, findUsers, findChats, chat } = await setUp(t)
  const { id } = await someone({ first_name: 'Старое', nickname: 'one' })
  await ctx.db.updateTable('users').set({ first_name: 'Новое' }).where('id', '=', id).execute()
  assert.deepEqual([await findUsers('старое'), await findUsers('новое')], [[], ['one']])
  const chat_id = await chat('Прежний')
  await ctx.db.updateTable('chats').set({ name: 'Нынешний' }).where('id', '=', chat_id).execute()
  assert.deepEqual([await findChats('прежний'), await findChats('нынешний')], [[], ['Нынешний']])
})

test('chats are found by name where they are open or one is in them', async (t) => {
  const { findChats, chat, bob, mia } = await setUp(t)
  await chat('Отдел продаж', { public: true })
  await chat('Отделка офиса')
  await chat('Канал отдела', { public: true, kind: 'channel', members: [bob] })
  assert.deepEqual((await findChats('отдел')).sort(), ['Канал отдела', 'Отдел продаж', 'Отделка офиса'])
  assert.deepEqual((await findChats('отдел', bob)).sort(), ['Канал отдела', 'Отдел продаж'])
  assert.deepEqual(await findChats('отдел', mia), [])
  assert.deepEqual(await findChats('продажи'), ['Отдел продаж'])
  assert.deepEqual(await findChats('пордаж отдел'), ['Отдел продаж'])
  assert.equal((await findChats('отдел'))[0], 'Отдел продаж')
})

test('chats are filtered by archive, kind and time', async (t) => {
  const { findChats, chat, clock, chats } = await setUp(t)
  clock.freeze(true)
  await chat('Проект один', { archived: true })
  clock.advance(60_000)
  const later = new Date(clock.now()).toISOString()
  await chat('Проект два')
  assert.deepEqual(await findChats('проект'), ['Проект два', 'Проект один'])
  assert.deepEqual(await findChats({ query: 'проект', order: 'asc' }), ['Проект один', 'Проект два'])
  assert.deepEqual(await findChats({ query: 'проект', active: true }), ['Проект два'])
  assert.deepEqual(await findChats({ query: 'проект', active: false }), ['Проект один'])
  assert.deepEqual(await findChats({ query: 'проект', created_from: later }), ['Проект два'])
  assert.deepEqual(await findChats({ query: 'проект', chat_subtype: 'discussion', personal: false }), [
    'Проект два',
    'Проект один',
  ])
  assert.deepEqual((await chats({ query: 'проект', chat_subtype: 'thread' })).meta.total, 0)
  const first = await chats({ query: 'проект', limit: 1 })
  const second = await chats({ query: 'проект', limit: 1, cursor: first.meta.paginate.next_page })
  assert.deepEqual([first.meta.total, second.data[0]?.name], [2, 'Проект один'])
})

test('personal chats are found by the name of the other side, when asked for', async (t) => {
  const { someone, findChats, alice, bob } = await setUp(t)
  const vera = await someone({ first_name: 'Вероника', last_name: 'Белова', nickname: 'vera' })
  const body = { message: { entity_type: 'user' as const, entity_id: vera.id, content: 'привет' } }
  await alice.call(createMessage, { body })
  assert.deepEqual(await findChats('вероника'), [])
  assert.equal((await findChats({ query: 'виропика', personal: true })).length, 1)
  assert.equal((await findChats({ query: 'Белова', personal: true })).length, 1)
  assert.deepEqual(await findChats({ query: 'Белова', personal: true }, bob), [])
  assert.equal((await findChats({ query: 'alice', personal: true }, vera)).length, 1)
})

test('searches of people and chats are written down, and their faults told', async (t) => {
  const { ctx, users, chats, as, alice } = await setUp(t)
  await users({ query: 'кто', sort: 'creation', company_roles: ['user'] })
  await chats({ query: 'где', active: true })
  const records = await ctx.db
    .selectFrom('audit_events')
    .select(['event_key', 'details'])
    .where('event_key', 'like', 'search%')
    .orderBy('sequence')
    .execute()
  assert.deepEqual(
    records.map(({ event_key, details }) => [event_key, (details as { filters: unknown }).filters]),
    [
      ['search_users_api', { sort: 'creation', company_roles: ['user'] }],
      ['search_chats_api', { active: true }],
    ],
  )
  const reader = await as(alice.id, { scopes: ['search:chats'] })
  await assert.rejects(users('x', reader), { status: 403, code: 'insufficient_scope' })
  await assert.rejects(users({} as UsersQuery), { status: 400, code: 'required' })
  await assert.rejects(chats({ query: '' }), { status: 400, code: 'required' })
  await assert.rejects(users({ query: 'x', sort: 'size' as never }), { status: 400, code: 'in' })
  await assert.rejects(users({ query: 'x', company_roles: ['boss'] as never }), { status: 400, code: 'in' })
  await assert.rejects(chats({ query: 'x', chat_subtype: 'tread' as never }), { status: 400, code: 'in' })
  await assert.rejects(chats({ query: 'x', created_to: 'later' }), { status: 400, code: 'invalid' })
  const { meta } = await users('кто')
  await assert.rejects(chats({ query: 'x', cursor: meta.paginate.next_page }), {
    status: 400,
    code: 'invalid',
  })
})

test('edits are counted as people make them', () => {
  const cases: [string, string, number][] = [
    ['иван', 'иван', 0],
    ['иван', 'ивна', 1],
    ['иван', 'ван', 1],
    ['иван', 'иваан', 1],
    ['иван', 'ивон', 1],
    ['иван', 'ион', 2],
    ['', 'ab', 2],
    ['kitten', 'sitting', 3],
  ]
  for (const [a, b, edits] of cases) assert.equal(distance(a, b), edits, `${a} ${b}`)
  assert.deepEqual([3, 4, 7, 8, 20].map(editsAllowed), [0, 1, 1, 2, 2])
})
