import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as api from '@parley/contract'
import { sql } from 'kysely'
import { actingFor } from '../platform/actor.js'
import { world } from '../testing/world.js'
import { listRemarks } from './queries.js'
import { archiveOf, assertAllCounted, bringIn, sizes } from './testing-import.js'
import { undoImport } from './undo.js'

interface Said {
  ts: string
  text: string
  user?: string
  thread_ts?: string
  reactions?: object[]
}

const person = (id: string, name: string) => ({ id, name, profile: { email: `${name}@example.org` } })

function exportOf(people: readonly string[], said: readonly Said[]) {
  return {
    'users.json': [person('U1', 'zoe'), person('U2', 'yan'), person('U3', 'xenia')].slice(0, people.length),
    'channels.json': [{ id: 'C1', name: 'garden', created: 1_600_000_000, creator: 'U1', members: people }],
    'garden/2020-09-13.json': said.map((entry) => ({ type: 'message', user: 'U1', ...entry })),
  }
}

const at = (second: number) => `16000000${second}.000100`

test('a later, longer export adds what is new: messages, threads below old ones, people, reactions', async (t) => {
  const w = await world(t)
  const old = [
    { ts: at(10), text: 'root' },
    { ts: at(11), text: 'discussed here' },
    { ts: at(12), text: 'not in the later export' },
  ]
  await bringIn(w, await archiveOf(t, exportOf(['U1', 'U2'], old)))
  const [chat] = await w.ctx.db.selectFrom('chats').selectAll().where('name', '=', 'garden').execute()
  const [zoe] = await w.ctx.db.selectFrom('users').selectAll().where('nickname', '=', 'zoe').execute()
  const session = await w.as(zoe?.id as number, { session: true })
  const list = async (chat_id: number) =>
    (await session.call(api.listMessages, { query: { chat_id, limit: 50 } })).data.reverse()
  const discussed = (await list(chat?.id as number))[1] as api.Message
  const { data: own } = await session.call(api.createThread, { params: { id: discussed.id } })
  const before = await sizes(w)

  const wave = { name: 'wave', users: ['U3'], count: 1 }
  const more = [
    { ...(old[0] as Said), reactions: [wave] },
    old[1] as Said,
    { ts: at(20), text: 'below the root', thread_ts: at(10), user: 'U3' },
    { ts: at(21), text: 'below what is discussed', thread_ts: at(11) },
    { ts: at(22), text: 'below the missing one', thread_ts: at(12) },
    { ts: at(23), text: 'new', user: 'U3' },
  ]
  const longer = await archiveOf(t, exportOf(['U1', 'U2', 'U3'], more))
  const done = await bringIn(w, longer)
  assertAllCounted(done)
  const page = await list(chat?.id as number)
  assert.deepEqual(
    page.map(({ content }) => content),
    ['root', 'discussed here', 'not in the later export', 'new'],
  )
  const replies = await Promise.all(
    page
      .slice(0, 3)
      .map(async ({ thread }) => (await list(thread?.chat_id ?? 0)).map(({ content }) => content)),
  )
  assert.deepEqual(replies, [['below the root'], ['below what is discussed'], ['below the missing one']])
  assert.equal(page[1]?.thread?.chat_id, own.chat_id, 'a thread that somebody began here takes the replies')
  const { data: reactions } = await session.call(api.listReactions, { params: { id: page[0]?.id as number } })
  assert.equal(reactions.length, 1)
  const { rows: behind } = await sql`
    select from chat_members m join chats c on c.id = m.chat_id
    where c.id in (${chat?.id}, ${own.chat_id}) and m.read_number <> c.messages_count`.execute(
    w.ctx.autocommit,
  )
  assert.equal(behind.length, 0, 'everything is read for everybody')
  assert.deepEqual(await listRemarks(w.ctx.db, done.id), [])
  const after = await sizes(w)
  await bringIn(w, longer)
  assert.deepEqual(await sizes(w), after, 'a second run writes nothing')

  await undoImport(w.ctx, actingFor(w.owner.id, 'owner', 'corporation'), done.id)
  const left = await sizes(w)
  for (const kind of ['messages', 'threads', 'chats', 'keys'])
    assert.equal(left[kind], before[kind], `${kind} after the undo`)
  assert.equal((await list(chat?.id as number)).length, 3)
})

test('what is older than the messages of its chat stands after them, and the report says so', async (t) => {
  const w = await world(t)
  const first = await bringIn(w, await archiveOf(t, exportOf(['U1'], [{ ts: at(20), text: 'later' }])))
  const both = [
    { ts: at(10), text: 'sooner' },
    { ts: at(20), text: 'later' },
  ]
  const done = await bringIn(w, await archiveOf(t, exportOf(['U1'], both)))
  const remarks = await listRemarks(w.ctx.db, done.id)
  assert.deepEqual(
    remarks.map(({ reason, ids }) => [reason, ids]),
    [['is older than what its chat holds, and stands after it', ['C1:1600000010.000100']]],
  )
  const chat = await w.ctx.db
    .selectFrom('chats')
    .select(['id', 'last_message_at'])
    .where('name', '=', 'garden')
    .executeTakeFirstOrThrow()
  assert.equal(chat.last_message_at.toISOString(), '2020-09-13T12:27:00.000Z', 'the time of the chat stays')

  await undoImport(w.ctx, actingFor(w.owner.id, 'owner', 'corporation'), done.id)
  const zoe = await w.ctx.db
    .selectFrom('users')
    .select('id')
    .where('nickname', '=', 'zoe')
    .executeTakeFirstOrThrow()
  const session = await w.as(zoe.id, { session: true })
  const { data } = await session.call(api.listMessages, { query: { chat_id: chat.id } })
  const { data: thread } = await session.call(api.createThread, { params: { id: data[0]?.id as number } })
  await session.call(api.createMessage, {
    body: { message: { entity_type: 'thread', entity_id: thread.id, content: 'since' } },
  })
  const undo = undoImport(w.ctx, actingFor(w.owner.id, 'owner', 'corporation'), first.id)
  await assert.rejects(undo, /Somebody has written since in garden/)
})

test('a chat is archived since its last message where no time is told, and equal files are stored once', async (t) => {
  const w = await world(t)
  const file = (id: string) => ({ id, name: `${id}.txt`, size: 5, mode: 'hosted' })
  const archive = await archiveOf(t, {
    'users.json': [person('U1', 'zoe')],
    'channels.json': [
      { id: 'C1', name: 'garden', members: ['U1'], is_archived: true },
      { id: 'C2', name: 'cellar', members: ['U1'], is_archived: true, updated: 1_600_000_099_000 },
    ],
    'garden/2020-09-13.json': [
      { type: 'message', user: 'U1', ts: at(20), text: 'last', files: [file('F1'), file('F2'), file('F3')] },
    ],
    'cellar/2020-09-13.json': [{ type: 'message', user: 'U1', ts: at(20), text: 'last' }],
    '__uploads/F1/a.txt': Buffer.from('equal'),
    '__uploads/F2/b.txt': Buffer.from('equal'),
    '__uploads/F3/c.txt': Buffer.from('other'),
  })
  await bringIn(w, archive)
  const chats = await w.ctx.db
    .selectFrom('chats')
    .select(['name', 'archived_at'])
    .where('name', 'in', ['garden', 'cellar'])
    .orderBy('name')
    .execute()
  assert.deepEqual(
    chats.map(({ archived_at }) => archived_at?.toISOString()),
    ['2020-09-13T12:28:19.000Z', '2020-09-13T12:27:00.000Z'],
  )
  const files = await w.ctx.db.selectFrom('files').select(['name', 'key']).orderBy('name').execute()
  assert.deepEqual(
    files.map(({ name }) => name),
    ['F1.txt', 'F2.txt', 'F3.txt'],
  )
  assert.equal(new Set(files.map(({ key }) => key)).size, 2)
})
