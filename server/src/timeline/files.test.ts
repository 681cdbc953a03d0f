import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createMessage, createThread, deleteMessage, listChatFiles } from '@parley/contract'
import { sql } from 'kysely'
import { upload } from '../testing/upload.js'
import { world } from '../testing/world.js'

const names = (files: { name: string }[]) => files.map(({ name }) => name)

test('the files of a chat and its threads are listed by kind, latest first, page by page', async (t) => {
  const w = await world(t)
  const key = await upload(w.alice, 'a.bin')
  const send = async (
    file_type: 'image' | 'video' | 'audio' | 'file',
    name: string,
    more: { entity_id: number; entity_type?: 'thread' } = { entity_id: w.office.id },
  ) => {
    const files = [{ key, name, file_type, size: 1 }]
    return (await w.alice.call(createMessage, { body: { message: { ...more, files } } })).data
  }
  const first = await send('image', 'one.bin')
  await send('video', 'two.bin')
  const gone = await send('file', 'gone.bin')
  const thread = (await w.alice.call(createThread, { params: { id: first.id } })).data
  const reply = await send('audio', 'three.bin', { entity_id: thread.id, entity_type: 'thread' })
  await send('image', 'four.bin')
  await w.alice.call(deleteMessage, { params: { id: gone.id } })

  const bob = await w.as(w.bob.id, { session: true })
  const list = (query: object = {}) => bob.call(listChatFiles, { params: { id: w.office.id }, query })
  const all = await list()
  assert.deepEqual(names(all.data), ['four.bin', 'three.bin', 'two.bin', 'one.bin'])
  assert.deepEqual([all.data[1]?.message_id, all.data[1]?.thread_id], [reply.id, thread.id])
  assert.deepEqual([all.data[3]?.message_id, all.data[3]?.thread_id], [first.id, null])
  assert.deepEqual(names(all.people), ['Alice'])
  assert.deepEqual(names((await list({ kind: 'image' })).data), ['four.bin', 'one.bin'])
  assert.deepEqual(names((await list({ kind: 'audio' })).data), ['three.bin'])
  assert.deepEqual((await list({ kind: 'file' })).data, [])
  const { data, meta } = await list({ limit: 3 })
  assert.equal(data.length, 3)
  assert.ok(meta.paginate.has_next)
  assert.deepEqual(names((await list({ limit: 3, cursor: meta.paginate.next_page })).data), ['one.bin'])

  const at = (id: number) => bob.call(listChatFiles, { params: { id } })
  await assert.rejects(at(thread.chat_id), { status: 404 })
  await assert.rejects(at(999_999), { status: 404 })
  const admin = await w.as(w.admin.id, { session: true })
  await assert.rejects(admin.call(listChatFiles, { params: { id: w.office.id } }), { status: 403 })
})

test('a page of files is one range of an index', async (t) => {
  const { ctx } = await world(t)
  const { rows } = await ctx.db.transaction().execute(async (tx) => {
    // The planner prefers reading everything where a table is small.
    await sql`set local enable_seqscan = off`.execute(tx)
    return sql<{ 'QUERY PLAN': string }>`explain select * from files f
      where f.chat_id = 1 and f.file_type = 'image' and f.id < 1000 order by f.id desc limit 51`.execute(tx)
  })
  const plan = rows.map((row) => row['QUERY PLAN']).join('\n')
  assert.match(plan, /Index Scan Backward using files_of_chat/)
  assert.doesNotMatch(plan, /Sort|Filter/)
})
