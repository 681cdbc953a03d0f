import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import {
  addReaction,
  createMessage,
  createThread,
  getChatCard,
  getMessage,
  getRetention,
  getThread,
  listMessages,
  pinMessage,
  updateChat,
  updateRetention,
} from '@parley/contract'
import { sql } from 'kysely'
import { type World, world } from '../testing/world.js'
import { writeMessage } from '../testing/write-message.js'

const DAY_MS = 24 * 3_600_000
const saying = (entity_id: number, content: string) => ({ body: { message: { entity_id, content } } })

async function set({ as, owner }: World, days: object) {
  const session = await as(owner.id, { session: true })
  return (await session.call(updateRetention, { body: { days } })).data
}

async function pass({ clock, drain }: World, days: number) {
  clock.advance(days * DAY_MS)
  await drain()
}

test('the owner sets how long messages are kept, and who set it stays to be seen', async (t) => {
  const stage = await world(t)
  const { owner, admin, alice, as } = stage
  const session = await as(owner.id, { session: true })
  const none = { conversation: null, channel: null, personal: null, thread: null }
  assert.deepEqual((await session.call(getRetention)).data, { days: none, changes: [] })
  await set(stage, { conversation: 30 })
  await set(stage, { conversation: 30 })
  const { days, changes } = await set(stage, { personal: 7 })
  assert.deepEqual(days, { ...none, conversation: 30, personal: 7 })
  assert.deepEqual(
    changes.map((change) => [change.user_id, change.days.personal]),
    [
      [owner.id, 7],
      [owner.id, null],
    ],
  )
  await assert.rejects(session.call(updateRetention, { body: { days: { channel: 0 } } }), { status: 422 })
  for (const who of [owner, await as(admin.id, { session: true }), alice])
    await assert.rejects(who.call(getRetention), { status: 403 })
})

test('nothing goes until a time is set, and then only what is older, of that kind', async (t) => {
  const stage = await world(t)
  const { alice, bob, office, news, clock } = stage
  const told = async (chat_id: number) =>
    (await alice.call(listMessages, { query: { chat_id } })).data.map(({ content }) => content)
  await alice.call(createMessage, saying(office.id, 'old'))
  await alice.call(createMessage, saying(news.id, 'old'))
  const personal = { entity_type: 'user' as const, entity_id: bob.id, content: 'old' }
  const { data: whisper } = await alice.call(createMessage, { body: { message: personal } })
  await pass(stage, 20)
  await alice.call(createMessage, saying(office.id, 'new'))
  await pass(stage, 11)
  assert.deepEqual(await told(office.id), ['new', 'old'])
  await set(stage, { conversation: 30 })
  await pass(stage, 0.1)
  assert.deepEqual(await told(office.id), ['new'])
  assert.deepEqual(await told(news.id), ['old'])
  await set(stage, { personal: 1 })
  await pass(stage, 0.1)
  assert.deepEqual(await told(whisper.chat_id), [])
  assert.deepEqual(await told(news.id), ['old'])
  await pass(stage, 20)
  assert.deepEqual(await told(office.id), [])
  assert.ok(clock)
})

test('what hangs on a message goes with it, files and words included', async (t) => {
  const stage = await world(t)
  const { alice, bob, office, ctx } = stage
  const key = `attaches/files/${alice.id}/${randomUUID()}/a.txt`
  await ctx.storage.write(key, Buffer.from('x'))
  const files = [{ key, name: 'a.txt', file_type: 'file' as const, size: 1 }]
  const { data } = await alice.call(createMessage, {
    body: { message: { entity_id: office.id, content: 'remarkable', files } },
  })
  await bob.call(addReaction, { params: { id: data.id }, body: { code: '👍' } })
  await alice.call(pinMessage, { params: { id: data.id } })
  await set(stage, { conversation: 1 })
  await pass(stage, 0.5)
  assert.ok(await ctx.storage.stat(key))
  await pass(stage, 1)
  await stage.drain()
  await assert.rejects(alice.call(getMessage, { params: { id: data.id } }), { status: 404 })
  assert.equal(await ctx.storage.stat(key), undefined)
  for (const table of ['reactions', 'pins', 'files', 'messages']) {
    const { rows } = await sql<{ count: number }>`select count(*) from ${sql.table(table)}`.execute(ctx.db)
    assert.equal(rows[0]?.count, 0, table)
  }
  const chat = await ctx.db
    .selectFrom('chats')
    .select('last_message_id')
    .where('id', '=', office.id)
    .executeTakeFirstOrThrow()
  assert.equal(chat.last_message_id, null)
})

test('a line about the chat does not become its last message when all others are gone', async (t) => {
  const stage = await world(t)
  const { alice, office, as } = stage
  await alice.call(createMessage, saying(office.id, 'old'))
  await pass(stage, 2)
  await alice.call(updateChat, { params: { id: office.id }, body: { chat: { name: 'Renamed' } } })
  await set(stage, { conversation: 1 })
  await pass(stage, 0.5)
  const { data: left } = await alice.call(listMessages, { query: { chat_id: office.id } })
  assert.equal(left.length, 1)
  const { data } = await (await as(alice.id, { session: true })).call(getChatCard, {
    params: { id: office.id },
  })
  assert.deepEqual([data.last_message_id, data.last_message], [null, null])
})

test('a thread stays usable when the message above it goes', async (t) => {
  const stage = await world(t)
  const { alice, bob, office } = stage
  const { data: top } = await alice.call(createMessage, saying(office.id, 'top'))
  const { data: thread } = await bob.call(createThread, { params: { id: top.id } })
  const comment = (content: string) => ({
    body: { message: { entity_type: 'thread' as const, entity_id: thread.id, content } },
  })
  await bob.call(createMessage, comment('early'))
  await pass(stage, 5)
  await alice.call(createMessage, comment('late'))
  await set(stage, { conversation: 3 })
  await pass(stage, 0.1)
  const { data: stub } = await alice.call(getMessage, { params: { id: top.id } })
  assert.deepEqual([stub.content, stub.deleted_at !== null, stub.thread?.id], ['', true, thread.id])
  assert.deepEqual((await alice.call(getThread, { params: { id: thread.id } })).data.message_id, top.id)
  const { data } = await bob.call(listMessages, { query: { chat_id: thread.chat_id } })
  assert.deepEqual(
    data.map(({ content }) => content),
    ['late'],
  )
  await bob.call(createMessage, comment('again'))
})

test('many messages go in batches, and the next run has nothing to look at again', async (t) => {
  const stage = await world(t)
  const { alice, office, news, ctx, clock } = stage
  const at = new Date(clock.now())
  await sql`
    insert into messages (chat_id, root_chat_id, user_id, content, created_at, changed_at)
    select chat, chat, ${alice.id}::bigint, 'n', ${at}::timestamptz, ${at}::timestamptz
    from generate_series(1, 1800) n
    cross join lateral (select case when n % 3 = 0 then ${news.id}::bigint else ${office.id}::bigint end as chat) x`.execute(
    ctx.db,
  )
  await set(stage, { conversation: 1 })
  await pass(stage, 1.5)
  const { rows } = await sql<{ chat_id: number; count: number }>`
    select chat_id, count(*) from messages group by chat_id`.execute(ctx.db)
  assert.deepEqual(rows, [{ chat_id: news.id, count: 600 }])
  const progress = await ctx.db.selectFrom('retention_progress').selectAll().execute()
  assert.equal(progress.length, 1)
  assert.ok(Number(progress[0]?.swept_to) > at.getTime())
})

test('an old message that was written late goes by its time, not by its id', async (t) => {
  const stage = await world(t)
  const { alice, office, clock } = stage
  const told = async () =>
    (await alice.call(listMessages, { query: { chat_id: office.id } })).data.map(({ content }) => content)
  const bring = (content: string, days: number) =>
    writeMessage(stage, {
      chat_id: office.id,
      user_id: alice.id,
      content,
      created_at: new Date(clock.now() - days * DAY_MS),
    })
  await set(stage, { conversation: 30 })
  await alice.call(createMessage, saying(office.id, 'today'))
  await bring('40 days ago', 40)
  await bring('20 days ago', 20)
  await pass(stage, 0.1)
  assert.deepEqual((await told()).sort(), ['20 days ago', 'today'])
  await bring('50 days ago', 50)
  await pass(stage, 0.1)
  assert.deepEqual((await told()).sort(), ['20 days ago', 'today'])
  await pass(stage, 11)
  assert.deepEqual(await told(), ['today'])
})

test('a removed text is gone from what bots and live connections can still read', async (t) => {
  const stage = await world(t)
  const { alice, bot, office, ctx, listen } = stage
  const hook = await listen(bot, ['message_new'])
  await alice.call(createMessage, saying(office.id, 'remarkable'))
  await set(stage, { conversation: 1 })
  await pass(stage, 0.1)
  assert.equal(hook.received.length, 1)
  await pass(stage, 1)
  const { rows } = await sql<{ payload: string }>`
    select payload from deliveries union all select payload::text from events`.execute(ctx.db)
  assert.ok(rows.length > 1)
  for (const { payload } of rows) assert.doesNotMatch(payload, /remarkable/)
})
