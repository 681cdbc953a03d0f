import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  addReaction,
  createMessage,
  createStandaloneThread,
  createThread,
  deleteMessage,
  followThread,
  getThread,
  leaveChat,
  listChatMembers,
  listThreads,
  removeChatMember,
  updateMessage,
} from '@parley/contract'
import { type World, world } from '../testing/world.js'

const saying = (entity_id: number, content: string, more: object = {}) => ({
  body: { message: { entity_id, content, ...more } },
})
const named = (id: number) => ({ params: { id } })

async function membersOf({ ctx }: World, chat_id: number): Promise<number[]> {
  const rows = await ctx.db
    .selectFrom('chat_members')
    .select('user_id')
    .where('chat_id', '=', chat_id)
    .orderBy('user_id')
    .execute()
  return rows.map(({ user_id }) => user_id)
}

test('a thread hangs under its message, and asking again gives the same one', async (t) => {
  const w = await world(t)
  const { alice, bob, office, events, ctx } = w
  const { data: parent } = await alice.call(createMessage, saying(office.id, 'topic'))
  const [{ data: thread }, { data: again }] = await Promise.all([
    bob.call(createThread, named(parent.id)),
    alice.call(createThread, named(parent.id)),
  ])
  assert.deepEqual(again, thread)
  assert.deepEqual([thread.message_id, thread.message_chat_id], [parent.id, office.id])
  assert.notEqual(thread.chat_id, office.id)
  const told = (await events()).filter(({ type }) => type === 'thread.created')
  assert.equal(told.length, 1)
  assert.equal(told[0]?.payload.message_chat_id, office.id)
  const audit = await ctx.db
    .selectFrom('audit_events')
    .select(['event_key', 'entity_type', 'entity_id'])
    .where('event_key', '=', 'thread_created')
    .execute()
  assert.deepEqual(audit, [
    { event_key: 'thread_created', entity_type: 'TopicThread', entity_id: String(thread.id) },
  ])
})

test('its first members: creator, author, who reacted, who follows threads; then whom the message names', async (t) => {
  const w = await world(t)
  const { alice, bob, mia, bot, admin, office, ctx, drain, person } = w
  const follower = await person({ nickname: 'follower' })
  const named_one = await person({ nickname: 'named' })
  const joined_at = new Date()
  await ctx.db
    .insertInto('chat_members')
    .values([
      { chat_id: office.id, user_id: follower.id, role: 'member', joined_at, notify_threads: true },
      { chat_id: office.id, user_id: named_one.id, role: 'member', joined_at },
    ])
    .execute()
  const { data: parent } = await alice.call(createMessage, saying(office.id, 'look @named @admin @all'))
  await mia.call(addReaction, { ...named(parent.id), body: { code: '👀' } })
  const { data: thread } = await bob.call(createThread, named(parent.id))
  const first = [alice.id, bob.id, mia.id, follower.id].sort((a, b) => a - b)
  assert.deepEqual(await membersOf(w, thread.chat_id), first)
  await drain()
  assert.deepEqual(
    await membersOf(w, thread.chat_id),
    [...first, named_one.id].sort((a, b) => a - b),
    'who is named and in the chat; the admin is not in it',
  )
  assert.ok(admin.id && bot.id)
})

test('a creator who left a thread is its creator again on coming back', async (t) => {
  const w = await world(t)
  const { alice, bob, office } = w
  const { data: parent } = await alice.call(createMessage, saying(office.id, 'topic'))
  const { data: thread } = await bob.call(createThread, named(parent.id))
  const creators = async () => {
    const answer = await alice.call(listChatMembers, { ...named(thread.chat_id), query: { role: 'owner' } })
    return answer.data.map(({ id }) => id)
  }
  await bob.call(leaveChat, named(thread.chat_id))
  assert.deepEqual(await creators(), [])
  await bob.call(createMessage, saying(thread.id, 'back', { entity_type: 'thread' }))
  assert.deepEqual(await creators(), [bob.id])
  const web = await w.as(bob.id, { session: true })
  for (const following of [false, true])
    await web.call(followThread, { ...named(thread.id), body: { following } })
  assert.deepEqual(await creators(), [bob.id])
  await bob.call(removeChatMember, { params: { id: thread.chat_id, user_id: alice.id } })
  assert.deepEqual(await membersOf(w, thread.chat_id), [bob.id])
})

test('refused: deleted messages, messages of threads, archived chats, and who does not see the chat', async (t) => {
  const { alice, bob, admin, mia, office, news, ctx } = await world(t)
  const { data: gone } = await alice.call(createMessage, saying(office.id, 'x'))
  await alice.call(deleteMessage, named(gone.id))
  await assert.rejects(alice.call(createThread, named(gone.id)), { status: 404, code: 'message_deleted' })
  const { data: parent } = await alice.call(createMessage, saying(office.id, 'topic'))
  await assert.rejects(admin.call(createThread, named(parent.id)), { status: 403 })
  const { data: thread } = await alice.call(createThread, named(parent.id))
  const { data: comment } = await bob.call(createMessage, saying(thread.id, 'c', { entity_type: 'thread' }))
  await assert.rejects(alice.call(createThread, named(comment.id)), { status: 400, code: 'thread_message' })
  await assert.rejects(alice.call(createThread, named(999_999)), { status: 404, code: 'not_found' })
  const { data: open } = await alice.call(createMessage, saying(news.id, 'news'))
  await assert.rejects(mia.call(createThread, named(open.id)), { status: 403 })
  await admin.call(createThread, named(open.id))
  const { data: late } = await alice.call(createMessage, saying(office.id, 'late'))
  await ctx.db.updateTable('chats').set({ archived_at: new Date() }).where('id', '=', office.id).execute()
  await assert.rejects(alice.call(createThread, named(late.id)), { status: 403 })
})

test('a thread is seen by its members, by those of the chat, and in open chats by employees', async (t) => {
  const { alice, bob, admin, mia, office, news } = await world(t)
  const { data: parent } = await alice.call(createMessage, saying(office.id, 'topic'))
  const { data: thread } = await alice.call(createThread, named(parent.id))
  assert.deepEqual((await bob.call(getThread, named(thread.id))).data, thread)
  await assert.rejects(admin.call(getThread, named(thread.id)), { status: 403 })
  await alice.call(createMessage, saying(thread.id, '@admin', { entity_type: 'thread' }))
  await admin.call(getThread, named(thread.id))
  const { data: post } = await alice.call(createMessage, saying(news.id, 'news'))
  const { data: open } = await alice.call(createThread, named(post.id))
  await admin.call(getThread, named(open.id))
  await assert.rejects(mia.call(getThread, named(open.id)), { status: 403 })
  const { data: alone } = await bob.call(createStandaloneThread)
  assert.deepEqual([alone.message_id, alone.message_chat_id], [null, null])
  await assert.rejects(alice.call(getThread, named(alone.id)), { status: 403 })
  await assert.rejects(alice.call(getThread, named(999_999)), { status: 404 })
})

test('the list: own threads and those of own chats, latest message first; open chats alone do not count', async (t) => {
  const { alice, bob, admin, office, news, clock } = await world(t)
  clock.freeze(true)
  const under = async (chat_id: number, content: string) => {
    clock.advance(1000)
    const { data: parent } = await alice.call(createMessage, saying(chat_id, content))
    return (await alice.call(createThread, named(parent.id))).data
  }
  const ids = async (who: typeof alice, query: object = {}) =>
    (await who.call(listThreads, { query })).data.map(({ id }) => id)
  const one = await under(office.id, 'one')
  const two = await under(office.id, 'two')
  const open = await under(news.id, 'open')
  clock.advance(1000)
  const { data: alone } = await bob.call(createStandaloneThread)
  assert.deepEqual(await ids(alice), [open.id, two.id, one.id])
  assert.deepEqual(await ids(bob), [alone.id, two.id, one.id])
  assert.deepEqual(await ids(admin), [])

  clock.advance(1000)
  const { data: comment } = await bob.call(createMessage, saying(one.id, 'up', { entity_type: 'thread' }))
  assert.deepEqual(await ids(alice), [one.id, open.id, two.id])
  clock.advance(1000)
  await bob.call(updateMessage, { ...named(comment.id), body: { message: { content: 'edit' } } })
  await bob.call(deleteMessage, named(comment.id))
  assert.equal(
    (await alice.call(getThread, named(one.id))).data.updated_at,
    comment.created_at,
    'editing and deleting do not move a thread',
  )
  await bob.call(
    createMessage,
    saying(open.id, 'an open thread, joined by writing', { entity_type: 'thread' }),
  )
  assert.deepEqual(await ids(bob), [open.id, one.id, alone.id, two.id])

  const times = { last_message_at_after: two.updated_at, last_message_at_before: alone.updated_at }
  assert.deepEqual(await ids(bob, times), [alone.id, two.id], 'both ends belong to it')
  await assert.rejects(alice.call(listThreads, { query: { last_message_at_after: 'soon' } }), {
    status: 400,
    code: 'invalid',
  })
  const page = await bob.call(listThreads, { query: { limit: 3 } })
  assert.deepEqual([page.data.length, page.meta.paginate.has_next], [3, true])
  const rest = await bob.call(listThreads, { query: { limit: 3, cursor: page.meta.paginate.next_page } })
  assert.deepEqual(
    rest.data.map(({ id }) => id),
    [two.id],
  )
})

test('whoever is in a thread without being in its chat writes there, and reads no other thread of it', async (t) => {
  const { alice, bob, office, ctx } = await world(t)
  const { data: parent } = await alice.call(createMessage, saying(office.id, 'topic'))
  const { data: thread } = await bob.call(createThread, named(parent.id))
  const { data: other } = await alice.call(createMessage, saying(office.id, 'other'))
  const { data: foreign } = await alice.call(createThread, named(other.id))
  await ctx.db
    .deleteFrom('chat_members')
    .where('chat_id', '=', office.id)
    .where('user_id', '=', bob.id)
    .execute()
  await bob.call(createMessage, saying(thread.id, 'still here', { entity_type: 'thread' }))
  await assert.rejects(bob.call(getThread, named(foreign.id)), { status: 403 })
})
