import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createMessage, createThread, getMessage, type Message } from '@parley/contract'
import { type Actor, actingFor } from '../platform/actor.js'
import { type Person, type World, world } from '../testing/world.js'
import { createFacts } from './chat-facts.js'
import type { NewMessage } from './post.js'
import { createPostBatch } from './post-batch.js'
import { postStatement } from './post-batch-sql.js'

const keyOf = (key: string) => ({
  token_id: 1,
  operation: createMessage.id,
  key,
  body_hash: Buffer.from('body'),
})

/** The batch by itself, so that a test sees what it writes and what it leaves to the plain way. */
function batchOf({ ctx }: World) {
  const batch = createPostBatch(ctx, ctx.hot_pool, createFacts(ctx.hot_pool))
  return async (
    who: Person,
    input: NewMessage,
    role: Actor['role'] = 'user',
    key?: string,
  ): Promise<Message | null> => {
    const actor = actingFor(who.id, role, 'corporation')
    const text = await batch.post(actor, input, key === undefined ? null : keyOf(key))
    return text === null ? null : JSON.parse(text).data
  }
}

test('the batch takes plain text into chats, threads and personal chats, and answers what a read gives', async (t) => {
  const w = await world(t)
  const { alice, bob, bot, office, news } = w
  const post = batchOf(w)
  const saying = { body: { message: { entity_id: office.id, content: 'parent' } } }
  const { data: parent } = await alice.call(createMessage, saying)
  const { data: thread } = await alice.call(createThread, { params: { id: parent.id } })
  await alice.call(createMessage, {
    body: { message: { entity_type: 'user', entity_id: bob.id, content: 'first' } },
  })
  const taken: [Person, NewMessage, Actor['role']?][] = [
    [alice, { entity_id: office.id, content: 'hello @all https://a.org', link_preview: true }],
    [alice, { entity_id: news.id, content: 'news' }],
    [alice, { entity_type: 'thread', entity_id: thread.id, content: 'comment' }],
    [alice, { entity_id: thread.chat_id, content: 'comment by chat id' }],
    [alice, { entity_type: 'user', entity_id: bob.id, content: 'psst' }],
    [bot, { entity_id: office.id, content: 'beep' }, 'bot'],
    [
      alice,
      { entity_id: office.id, content: 'people have no buttons', buttons: [[{ text: 'x', data: 'y' }]] },
    ],
  ]
  for (const [who, input, role] of taken) {
    const message = await post(who, input, role)
    assert.ok(message, `${input.content} is taken`)
    assert.deepEqual((await who.call(getMessage, { params: { id: message.id } })).data, message)
  }
})

test('the batch leaves to the plain way what is special, refused or new', async (t) => {
  const w = await world(t)
  const { alice, bob, admin, bot, office, attic, news } = w
  const post = batchOf(w)
  const { data: parent } = await alice.call(createMessage, {
    body: { message: { entity_id: office.id, content: 'parent' } },
  })
  const { data: thread } = await alice.call(createThread, { params: { id: parent.id } })
  const left: [Person, NewMessage, Actor['role']?][] = [
    [alice, { entity_id: office.id, content: ' ' }],
    [alice, { entity_id: office.id, content: `<@${bob.id}>` }],
    [alice, { entity_id: office.id, content: 'answer', parent_message_id: parent.id }],
    [alice, { entity_type: 'thread', entity_id: thread.id, content: 'come @bob' }],
    [bob, { entity_type: 'thread', entity_id: thread.id, content: 'not in it yet' }],
    [bot, { entity_id: office.id, content: 'x', display_name: 'X' }, 'bot'],
    [alice, { entity_type: 'user', entity_id: bob.id, content: 'no chat yet' }],
    [alice, { entity_id: attic.id, content: 'archived' }],
    [bob, { entity_id: news.id, content: 'not a member' }],
    [admin, { entity_id: office.id, content: 'not a member' }, 'admin'],
    [alice, { entity_id: 999_999, content: 'nowhere' }],
  ]
  for (const [who, input, role] of left) assert.equal(await post(who, input, role), null, input.content ?? '')
})

test('messages of one sender for which the day has no room go the plain way, also the first ones, and others beside them do not', async (t) => {
  const w = await world(t)
  const { alice, bob, office, ctx } = w
  ctx.config.daily_messages = 3
  const post = batchOf(w)
  const atOnce = (who: Person, count: number) =>
    Array.from({ length: count }, (_, n) => post(who, { entity_id: office.id, content: `${n}` }))
  const written = async (ofAlice: number, ofBob: number) => {
    // So that the chat is known, and all of them are one batch.
    assert.equal(await post(alice, { entity_id: office.id, content: ' ' }), null)
    const posts = [atOnce(alice, ofAlice), atOnce(bob, ofBob)].map((sent) => Promise.all(sent))
    return (await Promise.all(posts)).map((sent) => sent.filter((message) => message !== null).length)
  }
  assert.deepEqual(await written(4, 2), [0, 2])
  assert.deepEqual(await written(3, 2), [3, 0])
  assert.deepEqual(await written(1, 1), [0, 1])
  const { rows } = await ctx.pool.query(
    `select (select messages_count from chats where id = $1), count(*)::int as messages, max(number) as last
     from messages where chat_id = $1`,
    [office.id],
  )
  assert.deepEqual(rows, [{ messages_count: 6, messages: 6, last: 6 }])
})

test('a row that the database refuses does not take its neighbours with it', async (t) => {
  const w = await world(t)
  const { alice, bob, office, ctx } = w
  const post = batchOf(w)
  // Stands for any fault of a single row.
  await ctx.pool.query(`alter table messages add constraint no_bomb check (content <> 'bomb')`)
  const results = await Promise.all([
    post(alice, { entity_id: office.id, content: 'before' }),
    post(bob, { entity_id: office.id, content: 'bomb' }),
    post(bob, { entity_id: office.id, content: 'after' }),
  ])
  assert.deepEqual(
    results.map((message) => message?.content ?? null),
    ['before', null, 'after'],
  )
})

test('what the batch does not write keeps no key', async (t) => {
  const w = await world(t)
  const { alice, bob, office, attic, ctx } = w
  const post = batchOf(w)
  await ctx.pool.query(`alter table messages add constraint no_bomb check (content <> 'bomb')`)
  const results = await Promise.all([
    post(alice, { entity_id: attic.id, content: 'archived' }, 'user', 'refused'),
    post(bob, { entity_id: office.id, content: 'bomb' }, 'user', 'failed'),
    post(alice, { entity_id: office.id, content: 'kept' }, 'user', 'kept'),
    post(alice, { entity_id: office.id, content: 'kept' }, 'user', 'kept'),
  ])
  // Which of two requests with one key comes first is not said.
  const written = results.flatMap((message) => message ?? [])
  assert.deepEqual(results.slice(0, 2), [null, null])
  assert.deepEqual(
    written.map(({ content }) => content),
    ['kept'],
  )
  const keys = await ctx.db.selectFrom('idempotency_keys').select(['key', 'message_id', 'status']).execute()
  assert.deepEqual(keys, [{ key: 'kept', message_id: written[0]?.id, status: 201 }])
})

test('a key that another process is storing is waited for, and its message is written by that process alone', async (t) => {
  const w = await world(t)
  const { alice, bob, office, ctx } = w
  const post = batchOf(w)
  const other = await ctx.pool.connect()
  t.after(() => other.release())
  await other.query('begin')
  await other.query(
    `insert into idempotency_keys values (1, '${createMessage.id}', 'same', 'body', 201, now(), null, 5)`,
  )
  const [same, beside] = [
    post(alice, { entity_id: office.id, content: 'same' }, 'user', 'same'),
    post(bob, { entity_id: office.id, content: 'beside' }, 'user', 'another'),
  ]
  const isWaiting = async () => {
    const { rows } = await ctx.pool.query(
      `select from pg_locks where locktype = 'transactionid' and not granted
         and pid in (select pid from pg_stat_activity where datname = current_database())`,
    )
    return rows.length > 0
  }
  while (!(await isWaiting()));
  await other.query('commit')
  assert.equal(await same, null)
  assert.equal((await beside)?.content, 'beside')
})

test('words, keys, quotas and members are looked up one by one, also by a plan from when there were none', async (t) => {
  const { ctx } = await world(t)
  await ctx.hot_pool.query('delete from search_words')
  await ctx.hot_pool.query('vacuum analyze search_words, idempotency_keys, message_quotas')
  const parts = { keys: true, words: true, names: false, threads: false, personal: false }
  const { rows } = await ctx.hot_pool.query(`explain (generic_plan) ${postStatement(parts).text}`)
  const lines = rows.map((row: Record<string, string>) => row['QUERY PLAN'] ?? '')
  const conditionOf = (table: string) =>
    lines[lines.findIndex((line: string) => line.includes(`on ${table}`)) + 1]
  assert.match(conditionOf('search_words known') ?? '', /Index Cond: \(word = said/)
  assert.match(conditionOf('idempotency_keys k') ?? '', /Index Cond: \(\(token_id = .*operation = .*\(key = /)
  assert.match(conditionOf('message_quotas') ?? '', /Index Cond: \(\(user_id = .*chat_id = /)
  assert.match(conditionOf('chat_members') ?? '', /Index Cond: \(\(chat_id = .*user_id = /)
})

test('a batch of any mix of messages is written by one statement', async (t) => {
  const w = await world(t)
  const post = batchOf(w)
  const { alice, office } = w
  const inOffice = { entity_id: office.id }
  const { data: parent } = await alice.call(createMessage, {
    body: { message: { ...inOffice, content: 'parent' } },
  })
  const { data: thread } = await alice.call(createThread, { params: { id: parent.id } })
  const inThread = { entity_type: 'thread' as const, entity_id: thread.id }
  let number = 0
  for (const place of [inOffice, inThread])
    for (const key of [undefined, 'key'])
      for (const name of ['', '@all '])
        for (const word of ['parent', 'unheard']) {
          // In a thread a message that calls somebody goes the plain way.
          if (place === inThread && name !== '') continue
          number += 1
          const content = `${name}${word}${word === 'parent' ? '' : number}`
          const message = await post(alice, { ...place, content }, 'user', key && `${key} ${number}`)
          assert.ok(message, content)
          assert.deepEqual((await alice.call(getMessage, { params: { id: message.id } })).data, message)
        }
  const { rows } = await w.ctx.hot_pool.query(`select
    (select count(*)::int from idempotency_keys where key like 'key %') as keys,
    (select count(*)::int from mentions) as mentions,
    (select count(*)::int from search_words where word like 'unheard%') as words,
    (select count(*)::int from threads t join chats c on c.id = t.chat_id where t.updated_at = c.last_message_at) as threads`)
  assert.deepEqual(rows, [{ keys: 6, mentions: 4, words: 6, threads: 1 }])
})

test('a message in a chat that had one in the same minute changes none of its index entries', async (t) => {
  const { ctx, alice, office } = await world(t)
  await alice.call(createMessage, { body: { message: { entity_id: office.id, content: 'first' } } })
  // A row stays on its page only while there is room, which tests before this one may have filled.
  await ctx.pool.query('vacuum full chats')
  const client = await ctx.pool.connect()
  t.after(() => client.release())
  /** It counts what the connection did before, too, until that is added to the statistics. */
  const counted = async (): Promise<number> => {
    const { rows } = await client.query(
      `select pg_stat_get_xact_tuples_hot_updated('chats'::regclass)::int as rows`,
    )
    return rows[0].rows
  }
  const heapOnly = async (later: string) => {
    await client.query('begin')
    const before = await counted()
    await client.query(
      `update chats set last_message_id = last_message_id + 1, messages_count = messages_count + 1, version = version + 1,
         appends = appends + 1, last_message_at = active_minute + $2::interval where id = $1`,
      [office.id, later],
    )
    const after = await counted()
    await client.query('rollback')
    return after - before
  }
  assert.equal(await heapOnly('61 seconds'), 0)
  assert.equal(await heapOnly('59 seconds'), 1)
})
