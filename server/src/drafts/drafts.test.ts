import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import {
  createDraft,
  type Draft,
  deleteDraft,
  deleteUser,
  getDraft,
  listDrafts,
  updateDraft,
} from '@parley/contract'
import { openPersonalChat } from '../chats/open-personal.js'
import { sweepObjects } from '../files/erase.js'
import { transaction } from '../platform/db/transaction.js'
import type { StageContext } from '../testing/stage.js'
import { world } from '../testing/world.js'

const saying = (entity_id: number, content: string, more: object = {}) => ({
  body: { draft: { entity_type: 'discussion' as const, entity_id, content, ...more } },
})
const changing = (draft: Draft, change: object) => ({ params: { id: draft.id }, body: { draft: change } })
const refused = (call: Promise<unknown>, status: number, code: string, key?: string) =>
  assert.rejects(call, (error: { status: number; code: string; errors?: { key: string }[] }) => {
    assert.deepEqual([error.status, error.code], [status, code])
    if (key) assert.equal(error.errors?.[0]?.key, key)
    return true
  })

async function uploaded(ctx: StageContext, userId: number, name = 'a.txt') {
  const key = `attaches/files/${userId}/${randomUUID()}/${name}`
  await ctx.storage.write(key, Buffer.from('content'))
  return { key, name }
}

/** A thread under a message of alice in the office. */
async function threadIn(ctx: StageContext, chatId: number, userId: number) {
  const now = new Date()
  const message = await ctx.db
    .insertInto('messages')
    .values({
      chat_id: chatId,
      root_chat_id: chatId,
      user_id: userId,
      content: 'x',
      created_at: now,
      changed_at: now,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  const chat = await ctx.db
    .insertInto('chats')
    .values({
      kind: 'thread',
      name: '',
      owner_id: userId,
      meet_slug: randomUUID(),
      created_at: now,
      last_message_at: now,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  const thread = await ctx.db
    .insertInto('threads')
    .values({
      chat_id: chat.id,
      message_id: message.id,
      message_chat_id: chatId,
      creator_id: userId,
      created_at: now,
      updated_at: now,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return { thread_id: thread.id, chat_id: chat.id, message_id: message.id }
}

test('a draft is kept for its author alone, and nobody else hears of it', async (t) => {
  const { alice, bob, owner, office, events } = await world(t)
  const { data } = await alice.call(createDraft, saying(office.id, 'not yet'))
  assert.deepEqual(
    { ...data, id: 0, created_at: '', updated_at: '' },
    {
      id: 0,
      entity_type: 'discussion',
      entity_id: office.id,
      chat_id: office.id,
      content: 'not yet',
      parent_message_id: null,
      files: [],
      voice_content: null,
      schedule: null,
      next_send_at: null,
      created_at: '',
      updated_at: '',
    },
  )
  assert.deepEqual((await alice.call(getDraft, { params: { id: data.id } })).data, data)
  for (const other of [bob, owner]) {
    const params = { id: data.id }
    await refused(other.call(getDraft, { params }), 404, 'not_found')
    await refused(other.call(updateDraft, { params, body: { draft: { content: 'x' } } }), 404, 'not_found')
    await refused(other.call(deleteDraft, { params }), 404, 'not_found')
    assert.deepEqual((await other.call(listDrafts, { query: { type: 'all' } })).data, [])
  }
  assert.deepEqual(
    (await events()).map(({ type, payload }) => [type, payload.user_id]),
    [['draft.saved', alice.id]],
  )
})

test('a second plain draft in the same place is refused and names the first', async (t) => {
  const { alice, bob, office, news } = await world(t)
  const { data } = await alice.call(createDraft, saying(office.id, 'one'))
  await assert.rejects(
    alice.call(createDraft, saying(office.id, 'two')),
    (error: { [name: string]: unknown }) => {
      assert.equal(error.status, 409)
      assert.equal(error.code, 'already_exists')
      assert.deepEqual((error.errors as { payload: unknown }[])[0]?.payload, { draft_id: data.id })
      return true
    },
  )
  await alice.call(createDraft, saying(news.id, 'elsewhere'))
  await bob.call(createDraft, saying(office.id, 'mine'))
  const both = await Promise.allSettled(
    Array.from({ length: 5 }, () => bob.call(createDraft, saying(office.id, 'again'))),
  )
  assert.ok(both.every(({ status }) => status === 'rejected'))
})

test('bots have no drafts, and a token needs the scope', async (t) => {
  const { bot, alice, mia, office, as } = await world(t)
  await assert.rejects(bot.call(createDraft, saying(office.id, 'x')), { status: 403 })
  await assert.rejects(bot.call(listDrafts, { query: {} }), { status: 403 })
  const narrow = await as(alice.id, { scopes: ['drafts:read'] })
  await assert.rejects(narrow.call(createDraft, saying(office.id, 'x')), { status: 403 })
  assert.equal((await mia.call(createDraft, saying(office.id, 'guests may'))).data.content, 'guests may')
})

test('a draft goes where its author may write and nowhere else', async (t) => {
  const { alice, bob, admin, office, attic, news } = await world(t)
  await refused(alice.call(createDraft, saying(attic.id, 'x')), 403, 'not_authorized')
  await refused(admin.call(createDraft, saying(office.id, 'x')), 403, 'not_authorized')
  await refused(bob.call(createDraft, saying(news.id, 'x')), 403, 'not_authorized')
  await refused(alice.call(createDraft, saying(999_999, 'x')), 404, 'not_found', 'entity_id')
  const files = [{ key: 'nonsense', name: 'x' }]
  await refused(admin.call(createDraft, saying(office.id, 'x', { files })), 403, 'not_authorized')
  const nobody = { draft: { entity_type: 'user' as const, entity_id: 999_999, content: 'x' } }
  await refused(alice.call(createDraft, { body: nobody }), 404, 'not_found')
  const where = { draft: { entity_type: 'attic' as 'user', entity_id: 1, content: 'x' } }
  await refused(alice.call(createDraft, { body: where }), 400, 'inclusion', 'entity_type')
})

test('a draft to a person or a thread names both the place and its chat', async (t) => {
  const { alice, bob, office, ctx } = await world(t)
  const { data: personal } = await alice.call(createDraft, {
    body: { draft: { entity_type: 'user', entity_id: bob.id, content: 'hi' } },
  })
  assert.deepEqual([personal.entity_type, personal.entity_id], ['user', bob.id])
  const chat_id = await transaction(ctx, (tx) => openPersonalChat(tx, ctx, alice.id, bob.id))
  const { data: opened } = await alice.call(getDraft, { params: { id: personal.id } })
  assert.deepEqual([personal.chat_id, opened.chat_id], [null, chat_id])
  await refused(alice.call(createDraft, saying(chat_id, 'same place')), 409, 'already_exists')

  const thread = await threadIn(ctx, office.id, alice.id)
  const { data: comment } = await bob.call(createDraft, {
    body: { draft: { entity_type: 'thread', entity_id: thread.thread_id, content: 'well' } },
  })
  assert.deepEqual(
    [comment.entity_type, comment.entity_id, comment.chat_id],
    ['thread', thread.thread_id, thread.chat_id],
  )
})

test('the list shows own drafts newest first, by kind and by place', async (t) => {
  const { alice, bob, admin, office, news, attic } = await world(t)
  const { data: a } = await alice.call(createDraft, saying(office.id, 'a'))
  const { data: b } = await alice.call(createDraft, saying(news.id, 'b'))
  const schedule = { start_date: '2040-01-01T00:00Z', repetition: { interval: 'daily' } }
  const { data: c } = await alice.call(createDraft, saying(office.id, 'c', { schedule }))
  const ids = async (query: object, who = alice) =>
    (await who.call(listDrafts, { query })).data.map(({ id }) => id)
  assert.deepEqual(await ids({}), [b.id, a.id])
  assert.deepEqual(await ids({ type: 'scheduled' }), [c.id])
  assert.deepEqual(await ids({ type: 'all' }), [c.id, b.id, a.id])
  const place = { entity_type: 'discussion', entity_id: office.id }
  assert.deepEqual(await ids({ type: 'all', ...place }), [c.id, a.id])
  assert.deepEqual(await ids({ ...place, entity_id: attic.id }), [])
  assert.deepEqual(await ids({ ...place, entity_id: 999_999 }), [])
  assert.deepEqual(await ids({ entity_type: 'user', entity_id: bob.id }), [])
  assert.deepEqual(await ids({ entity_type: 'thread', entity_id: 77 }), [])
  assert.deepEqual(await ids(place, admin), [])
  await refused(alice.call(listDrafts, { query: { entity_id: 1 } }), 422, 'blank', 'entity_type')
  await refused(alice.call(listDrafts, { query: { entity_type: 'user' } }), 422, 'blank', 'entity_id')
  await refused(alice.call(listDrafts, { query: { type: 'odd' as 'all' } }), 400, 'in')
  const first = await alice.call(listDrafts, { query: { type: 'all', limit: 2 } })
  const { has_next, next_page } = first.meta.paginate
  assert.ok(has_next)
  assert.deepEqual(await ids({ type: 'all', cursor: next_page }), [a.id])
})

test('an edit changes what it passes; empty or too long it is refused', async (t) => {
  const { alice, office, news, clock } = await world(t)
  clock.freeze(true)
  const { data } = await alice.call(createDraft, saying(office.id, 'one'))
  clock.advance(1000)
  const body = { draft: { content: 'two', entity_type: 'discussion', entity_id: news.id } }
  const { data: after } = await alice.call(updateDraft, { params: { id: data.id }, body })
  assert.deepEqual([after.content, after.chat_id, after.created_at], ['two', office.id, data.created_at])
  assert.notEqual(after.updated_at, data.updated_at)
  await refused(alice.call(updateDraft, changing(data, { content: ' ' })), 422, 'blank', 'content')
  await refused(alice.call(updateDraft, changing(data, { content: 'ы'.repeat(20_001) })), 422, 'too_long')
  assert.equal((await alice.call(updateDraft, changing(data, { schedule: null }))).data.schedule, null)
  await refused(alice.call(createDraft, saying(news.id, '')), 422, 'blank', 'content')
  await refused(alice.call(createDraft, { body: {} as never }), 400, 'required', 'draft')
  await refused(
    alice.call(createDraft, { body: { draft: { entity_type: 'user', content: 'x' } as never } }),
    422,
    'blank',
    'entity_id',
  )
})

test('a draft of a chat that is closed by now can be deleted but not changed', async (t) => {
  const { alice, bob, office, ctx } = await world(t)
  const { data } = await bob.call(createDraft, saying(office.id, 'x'))
  await ctx.db.updateTable('chats').set({ archived_at: new Date() }).where('id', '=', office.id).execute()
  await refused(bob.call(updateDraft, changing(data, { content: 'y' })), 403, 'not_authorized')
  await bob.call(deleteDraft, { params: { id: data.id } })
  await refused(bob.call(deleteDraft, { params: { id: data.id } }), 404, 'not_found')
  assert.ok(alice)
})

test('a draft to a person who is suspended or deleted by now is not changed: 403', async (t) => {
  const { alice, admin, bob, ctx } = await world(t)
  const { data } = await bob.call(createDraft, saying(alice.id, 'x', { entity_type: 'user' }))
  const suspend = (suspended: boolean) =>
    ctx.db.updateTable('users').set({ suspended }).where('id', '=', alice.id).execute()
  await suspend(true)
  await refused(bob.call(updateDraft, changing(data, { content: 'y' })), 403, 'not_authorized')
  await suspend(false)
  await bob.call(updateDraft, changing(data, { content: 'y' }))
  await admin.call(deleteUser, { params: { id: alice.id } })
  await refused(bob.call(updateDraft, changing(data, { content: 'z' })), 403, 'not_authorized')
  await bob.call(deleteDraft, { params: { id: data.id } })
})

test('a reply is to a message of the same chat that is still there', async (t) => {
  const { alice, office, news, ctx } = await world(t)
  const { message_id } = await threadIn(ctx, office.id, alice.id)
  const reply = { parent_message_id: message_id }
  const { data } = await alice.call(createDraft, saying(office.id, 'answer', reply))
  assert.equal(data.parent_message_id, message_id)
  await refused(
    alice.call(createDraft, saying(news.id, 'x', reply)),
    422,
    'wrong_params',
    'parent_message_id',
  )
  const none = await alice.call(updateDraft, changing(data, { parent_message_id: null }))
  assert.equal(none.data.parent_message_id, null)
  const schedule = { start_date: '2090-01-01T00:00:00Z', repetition: { interval: 'once' as const } }
  const { data: later } = await alice.call(createDraft, saying(office.id, 'later', { ...reply, schedule }))
  await ctx.db.updateTable('messages').set({ deleted_at: new Date() }).where('id', '=', message_id).execute()
  await refused(alice.call(updateDraft, changing(data, reply)), 422, 'message_deleted')
  const { data: again } = await alice.call(updateDraft, {
    params: { id: later.id },
    body: { draft: later as never },
  })
  assert.equal(again.parent_message_id, message_id)
})

test('files are replaced as a set, and one with an id stays', async (t) => {
  const { alice, bob, clock, office, ctx, drain } = await world(t)
  const [one, two] = [await uploaded(ctx, alice.id), await uploaded(ctx, alice.id, 'b.png')]
  const { data } = await alice.call(createDraft, saying(office.id, '', { files: [one, two] }))
  assert.deepEqual(
    data.files.map(({ name, file_type }) => [name, file_type]),
    [
      ['a.txt', 'file'],
      ['b.png', 'file'],
    ],
  )
  const three = await uploaded(ctx, alice.id, 'c.txt')
  const kept = { ...two, id: data.files[1]?.id }
  const { data: after } = await alice.call(updateDraft, changing(data, { files: [three, kept] }))
  assert.deepEqual(
    after.files.map(({ name }) => name),
    ['c.txt', 'b.png'],
  )
  assert.equal(after.files[1]?.id, data.files[1]?.id)
  await drain()
  // What was taken off can be put back for a day.
  await alice.call(updateDraft, changing(data, { files: [one, kept] }))
  await alice.call(updateDraft, changing(data, { files: [three, kept] }))
  clock.advance(25 * 3_600_000)
  await sweepObjects(ctx)
  await drain()
  assert.equal(await ctx.storage.stat(one.key), undefined)
  assert.ok(await ctx.storage.stat(two.key))

  const foreign = await uploaded(ctx, bob.id)
  const set = (files: object[]) => alice.call(updateDraft, changing(data, { files }))
  await refused(set([{ ...one, id: data.files[0]?.id }]), 422, 'not_found', 'files.0.id')
  await refused(set([foreign]), 422, 'wrong_params', 'files.0.key')
  await refused(set([one]), 422, 'not_found', 'files.0.key')
  await refused(set([{ ...three, name: 'c.exe' }]), 422, 'wrong_params', 'files.0.name')
  await refused(set(Array.from({ length: 11 }, () => three)), 422, 'too_long', 'files')
  await refused(set([{ ...three, file_type: 'voice' }]), 422, 'blank', 'files.0.duration_ms')
  await refused(set([]), 422, 'blank', 'content')
  await alice.call(deleteDraft, { params: { id: data.id } })
  await drain()
  assert.equal(await ctx.storage.stat(two.key), undefined)
})

test('a voice draft has its voice beside the file, never a transcript', async (t) => {
  const { alice, office, ctx } = await world(t)
  const file = await uploaded(ctx, alice.id, 'v.ogg')
  const voice = { ...file, file_type: 'voice', duration_ms: 1500, waveform: 'AAAA' }
  const { data } = await alice.call(createDraft, saying(office.id, '', { files: [voice] }))
  assert.deepEqual(data.voice_content, { duration_ms: 1500, waveform: 'AAAA', transcript: null })
  const long = { ...voice, duration_ms: 1_800_001 }
  await refused(alice.call(updateDraft, changing(data, { files: [long] })), 422, 'invalid')
  const second = await uploaded(ctx, alice.id)
  await refused(alice.call(updateDraft, changing(data, { files: [voice, second] })), 422, 'wrong_params')
})
