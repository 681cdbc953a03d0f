import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { createMessage, deleteMessage, updateMessage } from '@parley/contract'
import { upload } from '../testing/upload.js'
import type { World } from '../testing/world.js'
import { flushPendingList } from './message-queries.js'
import { bothWays, setUp } from './testing-search.js'

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

test('a search does not wake those who wait for events', async (t) => {
  const { ctx, say, search } = await setUp(t)
  let rung = 0
  t.after(ctx.bell.on('events', () => (rung += 1)))
  await search('plain')
  assert.equal(rung, 0)
  await say('plain')
  assert.ok(rung > 0)
})

test('a search whose caller hung up is ended in the database, and is no failure', async (t) => {
  const { alice, ctx, search, url } = await setUp(t)
  const warn = t.mock.method(ctx.log, 'warn')
  const client = await ctx.pool.connect()
  try {
    await client.query('begin')
    await client.query('lock table search_words in access exclusive mode')
    const waiting = async () => {
      const { rows } = await client.query(
        `select pid from pg_locks where relation = 'search_words'::regclass and not granted
          and database = (select oid from pg_database where datname = current_database())`,
      )
      return rows.length
    }
    const caller = new AbortController()
    const asked = fetch(`${url}/v1/search/messages?query=word`, {
      headers: { authorization: `Bearer ${alice.token}` },
      signal: caller.signal,
    })
    while ((await waiting()) === 0) await delay(10)
    const began = performance.now()
    caller.abort()
    await assert.rejects(asked)
    while ((await waiting()) > 0) await delay(10)
    // Nobody waits for the budget of a search, which is five seconds.
    assert.ok(performance.now() - began < 4_000)
  } finally {
    await client.query('rollback')
    client.release()
  }
  await search('word')
  assert.equal(warn.mock.callCount(), 0)
})
