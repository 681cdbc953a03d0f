import assert from 'node:assert/strict'
import { createHash, randomUUID } from 'node:crypto'
import { rm, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import {
  createDraft,
  createMessage,
  deleteDraft,
  deleteMessage,
  getDraft,
  getMessage,
  listMessages,
  updateDraft,
  updateMessage,
} from '@parley/contract'
import {
  changing,
  DAY_MS,
  daily,
  HOUR_MS,
  in_ms,
  notices,
  once,
  pass,
  saying,
  september,
  texts,
} from './testing-schedules.js'

test('a single message is sent at its time, as its author, and is gone from the drafts', async (t) => {
  const stage = await september(t)
  const { alice, bob, bot, office, listen } = stage
  const hook = await listen(bot, ['message_new'])
  const { data } = await alice.call(createDraft, saying(office.id, once(stage, HOUR_MS), 'good morning'))
  await pass(stage, HOUR_MS - 1)
  assert.deepEqual(await texts(bob, office.id), [])
  await pass(stage, 1)
  assert.deepEqual(await texts(bob, office.id), ['good morning'])
  await pass(stage, DAY_MS)
  assert.deepEqual(await texts(bob, office.id), ['good morning'])
  await assert.rejects(alice.call(getDraft, { params: { id: data.id } }), { status: 404 })
  const { data: sent } = await bob.call(listMessages, { query: { chat_id: office.id } })
  assert.equal(sent[0]?.user_id, alice.id)
  assert.equal(hook.received.length, 1)
})

test('a repeating message goes on until its end, and its draft with it', async (t) => {
  const stage = await september(t)
  const { alice, bob, office } = stage
  const end_date = in_ms(stage, HOUR_MS + 2 * DAY_MS)
  const { data } = await alice.call(createDraft, saying(office.id, daily(stage, HOUR_MS, { end_date })))
  await pass(stage, HOUR_MS)
  const { data: after } = await alice.call(getDraft, { params: { id: data.id } })
  assert.equal(after.next_send_at, in_ms(stage, DAY_MS))
  assert.equal(after.updated_at, data.updated_at)
  await pass(stage, DAY_MS)
  assert.equal((await texts(bob, office.id)).length, 2)
  await pass(stage, DAY_MS)
  assert.equal((await texts(bob, office.id)).length, 3)
  await assert.rejects(alice.call(getDraft, { params: { id: data.id } }), { status: 404 })
  await pass(stage, 3 * DAY_MS)
  assert.equal((await texts(bob, office.id)).length, 3)
})

test('deleting a scheduled message cancels it', async (t) => {
  const stage = await september(t)
  const { alice, bob, office } = stage
  const { data } = await alice.call(createDraft, saying(office.id, daily(stage, HOUR_MS)))
  await alice.call(deleteDraft, { params: { id: data.id } })
  await pass(stage, 2 * DAY_MS)
  assert.deepEqual(await texts(bob, office.id), [])
})

test('the drafts of a deleted author go', async (t) => {
  const stage = await september(t)
  const { bob, office, ctx } = stage
  await bob.call(createDraft, saying(office.id, daily(stage, HOUR_MS)))
  await ctx.db.updateTable('users').set({ deleted_at: new Date() }).where('id', '=', bob.id).execute()
  await pass(stage, HOUR_MS)
  assert.deepEqual(await ctx.db.selectFrom('drafts').selectAll().execute(), [])
  assert.deepEqual(await notices(stage), [])
})

test('a file under the key of an import is sent, and one that cannot be looked up delays its message alone', async (t) => {
  const stage = await september(t)
  const { alice, bob, office, ctx } = stage
  const scheduled = async (name: string, content: string, at_ms: number) => {
    const key = `attaches/files/${bob.id}/${randomUUID()}/${name}`
    await ctx.storage.write(key, Buffer.from('x'))
    const draft = {
      entity_type: 'discussion' as const,
      entity_id: office.id,
      content,
      files: [{ key, name }],
    }
    const schedule = once(stage, at_ms) as never
    return (await bob.call(createDraft, { body: { draft: { ...draft, schedule } } })).data
  }
  const first = await scheduled('broken.md', 'first', HOUR_MS - 1)
  const second = await scheduled('plan.md', 'second', HOUR_MS)

  // A link to itself, which the disk follows without end.
  const hash = createHash('sha256')
    .update(first.files[0]?.key ?? '')
    .digest('hex')
  const folder = join(ctx.config.data_dir, 'files', 'objects', hash.slice(0, 2), hash.slice(2, 4))
  await rm(join(folder, hash))
  await symlink(hash, join(folder, hash))
  // An import has one object for equal files, whatever their names, under a key of whoever imports.
  const key = `attaches/files/${alice.id}/${randomUUID()}/plan.txt`
  await ctx.storage.write(key, Buffer.from('x'))
  await ctx.db
    .updateTable('files')
    .set({ key })
    .where('id', '=', second.files[0]?.id ?? 0)
    .execute()

  const [file] = second.files
  const kept = await bob.call(updateDraft, changing(second, { files: [{ ...file, key, id: file?.id ?? 0 }] }))
  assert.deepEqual(kept.data.files[0]?.id, file?.id)
  await pass(stage, HOUR_MS)
  assert.deepEqual(await texts(alice, office.id), ['second'])
  const { data: sent } = await alice.call(listMessages, { query: { chat_id: office.id } })
  const edit = (name: string) => {
    const files = [{ key, name, file_type: 'file' as const, size: 1 }]
    const message = { content: 'third', files }
    return bob.call(updateMessage, { params: { id: sent[0]?.id ?? 0 }, body: { message } })
  }
  assert.deepEqual((await edit('plan.md')).data.files, sent[0]?.files)
  const refused = { status: 422, code: 'wrong_params' }
  await assert.rejects(edit('plan.exe'), refused)
  const again = {
    entity_id: office.id,
    content: 'x',
    files: [{ key, name: 'plan.md', file_type: 'file' as const, size: 1 }],
  }
  assert.equal((await bob.call(createMessage, { body: { message: again } })).data.files[0]?.name, 'plan.md')
  await assert.rejects(stage.bot.call(createMessage, { body: { message: again } }), refused)
  await pass(stage, 10_000)
  await pass(stage, 60_000)
  await pass(stage, 300_000)
  assert.deepEqual(
    (await notices(stage)).map(({ reason }) => reason),
    ['internal_error'],
  )
})

test('a reply to what was deleted is sent as no reply, and a lost file is left out', async (t) => {
  const stage = await september(t)
  const { alice, bob, office, ctx } = stage
  const { data: parent } = await alice.call(createDraft, saying(office.id, once(stage, 1000), 'parent'))
  assert.ok(parent)
  await pass(stage, 1000)
  const [message] = (await bob.call(listMessages, { query: { chat_id: office.id } })).data
  const key = (name: string) => `attaches/files/${bob.id}/${randomUUID()}/${name}`
  const [kept, lost] = [key('kept.txt'), key('lost.txt')]
  for (const each of [kept, lost]) await ctx.storage.write(each, Buffer.from('x'))
  const files = [
    { key: kept, name: 'kept.txt' },
    { key: lost, name: 'lost.txt' },
  ]
  const draft = {
    entity_type: 'discussion' as const,
    entity_id: office.id,
    parent_message_id: message?.id ?? 0,
  }
  const schedule = once(stage, HOUR_MS) as never
  await bob.call(createDraft, { body: { draft: { ...draft, content: 'reply', files, schedule } } })
  const only = { ...draft, content: '', files: files.slice(1), schedule }
  const { data: empty } = await bob.call(createDraft, { body: { draft: only } })
  await ctx.storage.remove(lost)
  await alice.call(deleteMessage, { params: { id: message?.id ?? 0 } })
  await pass(stage, HOUR_MS)
  const [sent, ...others] = (await alice.call(listMessages, { query: { chat_id: office.id } })).data
  assert.deepEqual(
    [sent?.content, sent?.parent_message_id, sent?.files.map(({ name }) => name)],
    ['reply', null, ['kept.txt']],
  )
  assert.deepEqual(others, [])
  assert.deepEqual(
    (await notices(stage)).map(({ draft_id, reason }) => [draft_id, reason]),
    [[empty.id, 'blank']],
  )
  await stage.drain()
  assert.ok(await ctx.storage.stat(kept))
  assert.equal((await alice.call(getMessage, { params: { id: sent?.id ?? 0 } })).data.files.length, 1)
})
