import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import {
  createMessage,
  deleteMessage,
  getChat,
  type QueryOf,
  searchMessages,
  updateMessage,
} from '@parley/contract'
import { upload } from '../testing/upload.js'
import { type Person, type World, world } from '../testing/world.js'
import { flushPendingList } from './message-queries.js'

type Query = QueryOf<typeof searchMessages>

async function setUp(t: TestContext) {
  const stage = await world(t)
  const { alice, office } = stage
  const say = async (content: string, who: Person = alice, chat_id = office.id) => {
    const { data } = await who.call(createMessage, { body: { message: { entity_id: chat_id, content } } })
    return data.id
  }
  const search = (query: string | Query, who: Person = alice) =>
    who.call(searchMessages, { query: typeof query === 'string' ? { query } : query })
  const find = async (query: string | Query, who: Person = alice) =>
    (await search(query, who)).data.map(({ content }) => content)
  return { ...stage, say, search, find }
}

async function threadUnder({ ctx, alice, office }: World, message_id: number) {
  const now = new Date(ctx.clock.now())
  const { id: chat_id } = await ctx.db
    .insertInto('chats')
    .values({
      kind: 'thread',
      name: '',
      owner_id: alice.id,
      meet_slug: 'thread',
      created_at: now,
      last_message_at: now,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await ctx.db
    .insertInto('threads')
    .values({
      chat_id,
      message_id,
      message_chat_id: office.id,
      creator_id: alice.id,
      created_at: now,
      updated_at: now,
    })
    .execute()
  return { chat_id }
}

/** Each search is made before the messages are indexed and after: it must not matter. */
async function bothWays(stage: { drain(): Promise<void> }, check: () => Promise<void>) {
  await check()
  await stage.drain()
  await check()
}

test('a message is found by forms of its words, by parts of them, and whatever its case and accents', async (t) => {
  const stage = await setUp(t)
  const { say, find } = stage
  const text = 'Согласовали ДОГОВОРЫ с поставщиками, ещё раз: running café'
  await say(text)
  await say('совсем о другом')
  await bothWays(stage, async () => {
    for (const query of [
      'договор',
      'договорами',
      'поставщик',
      'согласовать',
      'оговор',
      'гласов',
      'еще',
      'ЕЩЁ',
      'run',
      'runs',
      'cafe',
      'CAFÉ',
      'договор поставщик',
      'поставщики, договоры!',
    ])
      assert.deepEqual(await find(query), [text], query)
    for (const query of ['догавор', 'до', 'договор самолёт', 'xyz', '!!!', '🎉', 'оммами'])
      assert.deepEqual(await find(query), [], query)
  })
})

test('a stem is not looked for inside of words', async (t) => {
  const stage = await setUp(t)
  await stage.say('сделали с трудом')
  await bothWays(stage, async () => assert.deepEqual(await stage.find('домами'), []))
})

test('a phrase in quotes is found as it is written alone', async (t) => {
  const stage = await setUp(t)
  const { say, find } = stage
  await say('красный стол стоит тут')
  await say('стол красный')
  await say('красные столы')
  await bothWays(stage, async () => {
    assert.deepEqual(await find('"красный стол"'), ['красный стол стоит тут'])
    assert.deepEqual(await find('"КРАСНЫЙ, СТОЛ"'), ['красный стол стоит тут'])
    assert.deepEqual(await find('"стол"'), ['стол красный', 'красный стол стоит тут'])
    assert.deepEqual(await find('"красн"'), [])
    assert.deepEqual(await find('"красный стол" стоит'), ['красный стол стоит тут'])
    assert.deepEqual(await find('"красный стол" лежит'), [])
    assert.deepEqual(await find('красный стол'), ['красные столы', 'стол красный', 'красный стол стоит тут'])
  })
})

test('a file is found by its name', async (t) => {
  const stage = await setUp(t)
  const { alice, office, search } = stage
  const name = 'Смета_проекта 2026.xlsx'
  const key = await upload(alice, name)
  const files = [{ key, name, file_type: 'file' as const, size: 1 }]
  const { data } = await alice.call(createMessage, { body: { message: { entity_id: office.id, files } } })
  await bothWays(stage, async () => {
    for (const query of ['смета', 'проект', 'xlsx', '2026', 'сметы 2026'])
      assert.deepEqual((await search(query)).data, [data], query)
  })
})

test('a file that was taken off its message is found no more', async (t) => {
  const stage = await setUp(t)
  const { alice, office, search } = stage
  const key = await upload(alice, 'смета.xlsx')
  const files = [{ key, name: 'смета.xlsx', file_type: 'file' as const, size: 1 }]
  const message = { entity_id: office.id, content: 'вот', files }
  const { data } = await alice.call(createMessage, { body: { message } })
  assert.equal((await search('вот смета')).meta.total, 1)
  await alice.call(updateMessage, { params: { id: data.id }, body: { message: { files: [] } } })
  assert.equal((await search('смета')).meta.total, 0)
  assert.equal((await search('вот')).meta.total, 1)
})

test('an edit and a deletion are seen at once', async (t) => {
  const stage = await setUp(t)
  const { say, find, alice, drain } = stage
  const id = await say('первый вариант')
  await drain()
  await alice.call(updateMessage, { params: { id }, body: { message: { content: 'второй вариант' } } })
  await bothWays(stage, async () => {
    assert.deepEqual(await find('первый'), [])
    assert.deepEqual(await find('второй'), ['второй вариант'])
    assert.deepEqual(await find('вариант'), ['второй вариант'])
  })
  await alice.call(deleteMessage, { params: { id } })
  await bothWays(stage, async () => assert.deepEqual((await stage.search('вариант')).meta.total, 0))
})

test('what was written lately is moved into the index, once', async (t) => {
  const { ctx, say, find } = await setUp(t)
  await say('самостоятельно')
  assert.ok((await flushPendingList(ctx.db)) > 0)
  assert.equal(await flushPendingList(ctx.db), 0)
  assert.deepEqual(await find('самостоятельный'), ['самостоятельно'])
})

test('somebody in many chats finds what somebody in few does', async (t) => {
  const stage = await setUp(t)
  const { ctx, alice, news, office, say, find } = stage
  await say('общий отчет', alice, news.id)
  const now = new Date(stage.clock.now())
  const chat = { kind: 'conversation', name: 'one of many', meet_slug: 'many', owner_id: alice.id }
  const many = Array.from({ length: 120 }, () => ({ ...chat, created_at: now, last_message_at: now }))
  const chats = await ctx.db.insertInto('chats').values(many).returning('id').execute()
  const seats = chats.map(({ id }) => ({ chat_id: id, user_id: alice.id, role: 'owner', joined_at: now }))
  await ctx.db.insertInto('chat_members').values(seats).execute()
  const last = chats.at(-1)?.id as number
  await say('отчет', alice, last)
  assert.deepEqual(await find('отчеты'), ['отчет', 'общий отчет'])
  assert.deepEqual(await find({ query: 'отчеты', chat_ids: [last, office.id] }), ['отчет'])
  assert.deepEqual(await find('отчеты', stage.bob), [])
})

test('a word of any length is written and found, by a part too', async (t) => {
  const { say, find } = await setUp(t)
  const long = `${'длинное'.repeat(40)} слово`
  await say(long)
  assert.deepEqual(await find(long), [long])
  assert.deepEqual(await find('линноедлин'), [long])
})

test('only chats one is in are searched, and their threads', async (t) => {
  const stage = await setUp(t)
  const { ctx, say, find, alice, bob, mia, admin, news, office, person } = stage
  const root = await say('секрет канцелярии')
  await say('секрет новостей', alice, news.id)
  const thread = await threadUnder(stage, root)
  await say('секрет обсуждения', alice, thread.chat_id)
  const stranger = await person({ nickname: 'stranger' })
  await ctx.db
    .insertInto('chat_members')
    .values({ chat_id: thread.chat_id, user_id: stranger.id, role: 'member', joined_at: new Date() })
    .execute()
  await bothWays(stage, async () => {
    assert.deepEqual(await find('секрет'), ['секрет обсуждения', 'секрет новостей', 'секрет канцелярии'])
    assert.deepEqual(await find('секрет', bob), ['секрет обсуждения', 'секрет канцелярии'])
    assert.deepEqual(await find('секрет', mia), ['секрет обсуждения', 'секрет канцелярии'])
    assert.deepEqual(await find('секрет', stranger), ['секрет обсуждения'])
    assert.deepEqual(await find('секрет', admin), [])
    assert.deepEqual((await stage.search({ query: 'секрет', chat_ids: [office.id] }, admin)).meta.total, 0)
  })
})

test('results are narrowed by chat, author, time and archive', async (t) => {
  const stage = await setUp(t)
  const { ctx, say, find, alice, bob, office, news, clock } = stage
  clock.freeze(true)
  await say('план один')
  clock.advance(3_600_000)
  const middle = new Date(clock.now()).toISOString()
  await say('план два', bob)
  clock.advance(3_600_000)
  await say('план три', alice, news.id)
  await bothWays(stage, async () => {
    assert.deepEqual(await find({ query: 'план', chat_ids: [office.id] }), ['план два', 'план один'])
    assert.deepEqual(await find({ query: 'план', user_ids: [bob.id, 999] }), ['план два'])
    assert.deepEqual(await find({ query: 'план', created_from: middle }), ['план три', 'план два'])
    assert.deepEqual(await find({ query: 'план', created_to: middle }), ['план два', 'план один'])
    assert.deepEqual(await find({ query: 'план', created_from: middle, created_to: middle }), ['план два'])
    assert.deepEqual(await find({ query: 'план', order: 'asc' }), ['план один', 'план два', 'план три'])
  })
  await ctx.db.updateTable('chats').set({ archived_at: new Date() }).where('id', '=', news.id).execute()
  assert.deepEqual(await find({ query: 'план', active: true }), ['план два', 'план один'])
  assert.deepEqual(await find({ query: 'план', active: false }), ['план три'])
})

test('pages follow each other to an empty one, whose cursor repeats itself', async (t) => {
  const stage = await setUp(t)
  const { say, search } = stage
  for (let number = 1; number <= 5; number += 1) await say(`номер ${number}`)
  for (const sort of ['created_at', 'relevance'] as const) {
    const seen: string[] = []
    let cursor: string | undefined
    for (let page = 0; page < 3; page += 1) {
      const { data, meta } = await search({ query: 'номер', limit: 2, cursor, sort })
      assert.equal(meta.total, 5)
      seen.push(...data.map(({ content }) => content))
      cursor = meta.paginate.next_page
    }
    assert.deepEqual(seen, ['номер 5', 'номер 4', 'номер 3', 'номер 2', 'номер 1'])
    const end = await search({ query: 'номер', limit: 2, cursor })
    assert.deepEqual([end.data, end.meta.total, end.meta.paginate.next_page], [[], 5, cursor])
  }
  const nothing = await search('ничего')
  assert.deepEqual([nothing.data, nothing.meta.total], [[], 0])
  assert.equal((await search({ query: 'ничего', cursor: nothing.meta.paginate.next_page })).data.length, 0)
})

test('the flags of a page are true both ways, and the way back shows the same pages', async (t) => {
  const { say, search } = await setUp(t)
  for (let number = 1; number <= 5; number += 1) await say(`номер ${number}`)
  for (const sort of ['created_at', 'relevance'] as const) {
    const page = async (cursor?: string) => {
      const { data, meta } = await search({ query: 'номер', limit: 2, cursor, sort })
      const texts = data.map(({ content }) => content.slice(-1)).join('')
      return { texts, ...meta.paginate, exact: meta.total_is_exact }
    }
    const first = await page()
    const second = await page(first.next_page)
    const third = await page(second.next_page)
    const back = await page(third.prev_page)
    const top = await page(back.prev_page)
    const above = await page(top.prev_page)
    assert.deepEqual(
      [first, second, third, back, top, above].map(({ texts, has_next, has_prev }) => [
        texts,
        has_next,
        has_prev,
      ]),
      [
        ['54', true, false],
        ['32', true, true],
        ['1', false, true],
        ['32', true, true],
        ['54', true, false],
        ['', true, false],
      ],
    )
    assert.ok(first.exact)
  }
})

test('a search counts up to a thousand and says where there are more', async (t) => {
  const { ctx, search, say, office, alice } = await setUp(t)
  await say('частое слово')
  const more = (count: number) =>
    ctx.pool.query(
      `insert into messages (chat_id, root_chat_id, user_id, content, created_at, changed_at)
       select $1, $1, $2, 'частое слово', now(), now() from generate_series(1, $3::int)`,
      [office.id, alice.id, count],
    )
  await more(999)
  const total = async () => (await search({ query: 'частое', limit: 1 })).meta
  const exact = await total()
  assert.deepEqual([exact.total, exact.total_is_exact], [1000, true])
  await more(1)
  const cut = await total()
  assert.deepEqual([cut.total, cut.total_is_exact, cut.paginate.has_next], [1000, false, true])
})

test('by relevance the word itself stands before its forms and parts, and fresh before old', async (t) => {
  const stage = await setUp(t)
  const { say, find, clock } = stage
  clock.freeze(true)
  await say('отчет давно')
  clock.advance(300 * 86_400_000)
  await say('отчет')
  await say('отчеты')
  await say('безотчетный')
  await bothWays(stage, async () => {
    assert.deepEqual(await find({ query: 'отчет', sort: 'relevance' }), [
      'отчет',
      'отчеты',
      'безотчетный',
      'отчет давно',
    ])
  })
})

test('faults of a search are told', async (t) => {
  const { alice, as, search, say } = await setUp(t)
  const cases: [object, string, string][] = [
    [{}, 'query', 'required'],
    [{ query: ' ' }, 'query', 'required'],
    [{ query: 'x', created_from: 'yesterday' }, 'created_from', 'invalid'],
    [{ query: 'x', created_to: '2026-02-30' }, 'created_to', 'invalid'],
    [{ query: 'x', sort: 'size' }, 'sort', 'in'],
    [{ query: 'x', order: 'up' }, 'order', 'in'],
    [{ query: 'x', limit: 0 }, 'limit', 'invalid'],
    [{ query: 'x', cursor: 'nonsense-nonsense' }, 'cursor', 'invalid'],
    [{ query: 'x', chat_ids: ['a'] }, 'chat_ids', 'invalid'],
  ]
  for (const [query, key, code] of cases) {
    await assert.rejects(search(query as Query), (error: { status: number; errors: { key: string }[] }) => {
      assert.deepEqual([error.status, error.errors[0]?.key], [400, key])
      assert.equal((error as unknown as { code: string }).code, code)
      return true
    })
  }
  await say('по-старому')
  const old = await alice.call(searchMessages, { query: { 'search[query]': 'старому' } as unknown as Query })
  assert.equal(old.meta.total, 1)
  assert.equal((await search({ query: 'старому', limit: 100_000 })).data.length, 1)
  const reader = await as(alice.id, { scopes: ['messages:read'] })
  await assert.rejects(search('x', reader), { status: 403, code: 'insufficient_scope' })
})

test('odd queries find nothing or something, but break nothing', async (t) => {
  const { search, say } = await setUp(t)
  await say("it's 100% \\ fine & <b> | ! :* 'quoted'")
  for (const query of [
    "'",
    '"',
    '""',
    '\\',
    ':*',
    '!',
    '&|',
    '(',
    "a'b",
    '%',
    '_',
    '<->',
    'я'.repeat(1000),
    '\u0301',
    '"a" "b',
  ])
    await search(query)
  assert.equal((await search("it's fine")).meta.total, 1)
  assert.equal((await search('100%')).meta.total, 1)
})

test('each search is written down without its words', async (t) => {
  const { ctx, alice, office, search, say } = await setUp(t)
  await say('тайна')
  await search({ query: 'тайна', chat_ids: [office.id], order: 'asc', limit: 5 })
  await assert.rejects(search({ query: 'x', limit: 0 }))
  const records = await ctx.db
    .selectFrom('audit_events')
    .select(['event_key', 'entity_type', 'entity_id', 'details'])
    .where('event_key', '=', 'search_messages_api')
    .execute()
  assert.deepEqual(records, [
    {
      event_key: 'search_messages_api',
      entity_type: 'User',
      entity_id: String(alice.id),
      details: {
        search_type: 'messages',
        query_present: true,
        cursor_present: false,
        limit: 1,
        filters: { chat_ids: [office.id], order: 'asc' },
      },
    },
  ])
})

test('searches that take too long are given up, also those that wait for their turn, and hold up nobody', async (t) => {
  const { alice, ctx, office, search } = await setUp(t)
  const client = await ctx.pool.connect()
  try {
    await client.query('begin')
    await client.query('lock table search_words in access exclusive mode')
    const began = performance.now()
    const searches = Array.from({ length: ctx.config.pool_size }, () => search('слово'))
    const given = Promise.allSettled(searches)
    await alice.call(getChat, { params: { id: office.id } })
    assert.ok(performance.now() - began < 4_000)
    for (const outcome of await given) {
      assert.equal(outcome.status, 'rejected')
      assert.equal(outcome.reason.status, 504)
      assert.equal(outcome.reason.code, 'timeout')
    }
  } finally {
    await client.query('rollback')
    client.release()
  }
})
