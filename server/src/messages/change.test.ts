import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  addReaction,
  createMessage,
  createThread,
  deleteMessage,
  forwardMessage,
  getMessage,
  getThread,
  listMessages,
  listPins,
  listReactions,
  listReadMemberIds,
  listUnread,
  markAllRead,
  markChatRead,
  markChatUnread,
  pinMessage,
  unpinMessage,
  updateMessage,
} from '@parley/contract'
import { actingFor } from '../platform/actor.js'
import { transaction } from '../platform/db/transaction.js'
import { world } from '../testing/world.js'
import { postSystemMessage } from './system.js'
import { saying } from './testing-saying.js'

const named = (id: number) => ({ params: { id } })

test('an author edits, others hear of it, and nobody else may', async (t) => {
  const { alice, bob, office, attic, clock, events, ctx } = await world(t)
  const { data } = await alice.call(createMessage, saying(office.id, 'helo'))
  clock.advance(5000)
  const edited = await alice.call(updateMessage, {
    ...named(data.id),
    body: { message: { content: `hello <@${bob.id}>` } },
  })
  assert.equal(edited.data.content, 'hello @bob')
  assert.ok((edited.data.changed_at as string) > data.created_at)
  assert.equal(edited.data.created_at, data.created_at)
  const told = (await events()).at(-1)
  assert.deepEqual([told?.type, told?.payload.content], ['message.updated', 'hello @bob'])

  const count = (await events()).length
  clock.advance(5000)
  const same = await alice.call(updateMessage, {
    ...named(data.id),
    body: { message: { content: 'hello @bob' } },
  })
  assert.deepEqual(same, edited)
  assert.equal((await events()).length, count, 'an edit that changes nothing is told to nobody')

  const change = { body: { message: { content: 'mine now' } } }
  await assert.rejects(bob.call(updateMessage, { ...named(data.id), ...change }), {
    status: 403,
    code: 'not_authorized',
  })
  await assert.rejects(alice.call(updateMessage, { ...named(999_999), ...change }), { status: 404 })
  await assert.rejects(
    alice.call(updateMessage, { ...named(data.id), body: { message: { content: ' ' } } }),
    {
      status: 422,
      code: 'blank',
    },
  )
  await ctx.db.updateTable('chats').set({ archived_at: new Date() }).where('id', '=', office.id).execute()
  await assert.rejects(alice.call(updateMessage, { ...named(data.id), ...change }), { status: 403 })
  assert.ok(attic.id)
})

test('a bot changes its buttons and its face; an empty list clears them', async (t) => {
  const { bot, office, events } = await world(t)
  const buttons = [[{ text: 'Go', data: 'go' }]]
  const { data } = await bot.call(createMessage, saying(office.id, 'x', { buttons, display_name: 'A' }))
  const put = async (message: object) =>
    (await bot.call(updateMessage, { ...named(data.id), body: { message } })).data
  const edited = await put({ content: 'y' })
  assert.deepEqual(edited.buttons, buttons)
  const { length } = await events()
  assert.equal((await put({ content: 'y', buttons })).changed_at, edited.changed_at)
  assert.equal((await events()).length, length)
  assert.equal((await put({ display_name: 'B' })).display_name, 'B')
  assert.equal((await put({ display_name: '😀'.repeat(255) })).display_name, '😀'.repeat(255))
  assert.equal((await put({ buttons: [] })).buttons, null)
  await assert.rejects(
    bot.call(updateMessage, { ...named(data.id), body: { message: { display_name: 'x'.repeat(256) } } }),
    {
      status: 422,
      code: 'too_long',
    },
  )
})

test('a deleted message is empty for good, still read by id, and its thread stays', async (t) => {
  const { alice, bob, office, clock, events } = await world(t)
  const { data } = await alice.call(createMessage, saying(office.id, 'secret'))
  const { data: thread } = await bob.call(createThread, named(data.id))
  await bob.call(addReaction, { ...named(data.id), body: { code: '👍' } })
  await alice.call(pinMessage, named(data.id))
  clock.advance(1000)
  await alice.call(deleteMessage, named(data.id))
  const { data: gone } = await bob.call(getMessage, named(data.id))
  assert.deepEqual([gone.content, gone.files, gone.buttons, gone.user_id], ['', [], null, alice.id])
  assert.ok(gone.deleted_at)
  assert.deepEqual(gone.thread, { id: thread.id, chat_id: thread.chat_id })
  assert.deepEqual((await bob.call(listReactions, named(data.id))).data, [])
  assert.deepEqual((await bob.call(listMessages, { query: { chat_id: office.id } })).data, [])
  assert.equal((await bob.call(getThread, named(thread.id))).data.message_id, data.id)
  const told = (await events()).at(-1)
  assert.deepEqual([told?.type, told?.payload.content], ['message.deleted', ''])
  const count = (await events()).length
  await alice.call(deleteMessage, named(data.id))
  assert.equal((await events()).length, count)
  await assert.rejects(
    alice.call(updateMessage, { ...named(data.id), body: { message: { content: 'back' } } }),
    { status: 422, code: 'message_deleted' },
  )
  await assert.rejects(bob.call(addReaction, { ...named(data.id), body: { code: '👍' } }), {
    status: 404,
    code: 'message_deleted',
  })
})

test('who deletes: the author, those who look after the chat, both sides of a personal chat', async (t) => {
  const { alice, bob, mia, office, ctx } = await world(t)
  const post = async (who: typeof alice) => (await who.call(createMessage, saying(office.id, 'x'))).data.id
  await assert.rejects(mia.call(deleteMessage, named(await post(bob))), { status: 403 })
  await assert.rejects(bob.call(deleteMessage, named(await post(alice))), { status: 403 })
  await alice.call(deleteMessage, named(await post(bob)))
  await bob.call(deleteMessage, named(await post(bob)))
  const { data } = await alice.call(createMessage, saying(bob.id, 'psst', { entity_type: 'user' }))
  await bob.call(deleteMessage, named(data.id))
  const kept = await post(alice)
  await ctx.db.updateTable('chats').set({ archived_at: new Date() }).where('id', '=', office.id).execute()
  await assert.rejects(alice.call(deleteMessage, named(kept)), { status: 403 })
  await assert.rejects(alice.call(deleteMessage, named(999_999)), { status: 404 })
})

test('pins: once, by who may write, not in threads, gone with the message', async (t) => {
  const { alice, bob, admin, bot, news, office, attic, as, ctx } = await world(t)
  const { data } = await alice.call(createMessage, saying(office.id, 'rules'))
  const { data: later } = await alice.call(createMessage, saying(office.id, 'more rules'))
  await bob.call(pinMessage, named(data.id))
  await alice.call(pinMessage, named(later.id))
  await assert.rejects(alice.call(pinMessage, named(data.id)), { status: 409, code: 'already_exists' })
  await assert.rejects(admin.call(pinMessage, named(data.id)), { status: 403 })
  await assert.rejects(alice.call(pinMessage, named(999_999)), { status: 404 })
  const web = await as(bob.id, { session: true })
  const pins = await web.call(listPins, named(office.id))
  assert.deepEqual(
    pins.data.map(({ id }) => id),
    [later.id, data.id],
  )
  await assert.rejects(bot.call(listPins, named(office.id)), { status: 403 })
  await alice.call(unpinMessage, named(later.id))
  await alice.call(unpinMessage, named(later.id))
  await alice.call(deleteMessage, named(data.id))
  assert.deepEqual((await web.call(listPins, named(office.id))).data, [])
  await assert.rejects(alice.call(pinMessage, named(data.id)), { status: 422, code: 'message_deleted' })

  const { data: post } = await alice.call(createMessage, saying(news.id, 'news'))
  await assert.rejects(bob.call(pinMessage, named(post.id)), { status: 403 })
  const { data: thread } = await alice.call(createThread, named(post.id))
  const { data: comment } = await alice.call(createMessage, saying(thread.id, 'c', { entity_type: 'thread' }))
  await assert.rejects(alice.call(pinMessage, named(comment.id)), { status: 403 })
  const actor = actingFor(alice.id, 'user', 'corporation')
  await transaction(ctx, (tx) =>
    postSystemMessage(tx, ctx, actor, office.id, { content: 'renamed', kind: 'chat_renamed' }),
  )
  const [line] = (await alice.call(listMessages, { query: { chat_id: office.id } })).data
  await assert.rejects(alice.call(pinMessage, named(line?.id as number)), { status: 422, code: 'pin_failed' })
  await assert.rejects(alice.call(deleteMessage, named(line?.id as number)), { status: 403 })
  assert.ok(attic.id)
})

test('a forwarded message names its origin, keeps it when forwarded again, and is not edited', async (t) => {
  const { alice, bob, admin, bot, office, news, as } = await world(t)
  const { data } = await bob.call(createMessage, saying(office.id, 'original'))
  const web = await as(alice.id, { session: true })
  await assert.rejects(bot.call(forwardMessage, { ...named(data.id), body: { entity_id: news.id } }), {
    status: 403,
  })
  const { data: copy } = await web.call(forwardMessage, { ...named(data.id), body: { entity_id: news.id } })
  assert.deepEqual(copy.forwarding, {
    original_message_id: data.id,
    original_chat_id: office.id,
    author_id: bob.id,
    original_created_at: data.created_at,
    original_thread_id: null,
    original_thread_message_id: null,
    original_thread_parent_chat_id: null,
  })
  assert.deepEqual([copy.user_id, copy.content], [alice.id, 'original'])
  const { data: second } = await web.call(forwardMessage, {
    ...named(copy.id),
    body: { entity_type: 'user', entity_id: bob.id },
  })
  assert.deepEqual(second.forwarding, copy.forwarding)
  await assert.rejects(
    alice.call(updateMessage, { ...named(copy.id), body: { message: { content: 'changed' } } }),
    { status: 403 },
  )
  const stranger = await as(admin.id, { session: true })
  await assert.rejects(stranger.call(forwardMessage, { ...named(data.id), body: { entity_id: news.id } }), {
    status: 403,
  })
})

test('who has read a message: members at or past it, without caller, author and the suspended', async (t) => {
  const { alice, bob, mia, bot, admin, office, as, ctx } = await world(t)
  const { data } = await alice.call(createMessage, saying(office.id, 'read me'))
  const readers = async (who: typeof alice) => (await who.call(listReadMemberIds, named(data.id))).data
  assert.deepEqual(await readers(alice), [])
  for (const who of [bob, mia]) {
    const web = await as(who.id, { session: true })
    await web.call(markChatRead, { ...named(office.id), body: { message_id: data.id } })
  }
  await bot.call(createMessage, saying(office.id, 'writing is reading'))
  assert.deepEqual(await readers(alice), [bob.id, mia.id, bot.id])
  assert.deepEqual(await readers(bob), [mia.id, bot.id])
  const page = await alice.call(listReadMemberIds, { ...named(data.id), query: { limit: 2 } })
  assert.deepEqual([page.data, page.meta.paginate.has_next], [[bob.id, mia.id], true])
  const next = await alice.call(listReadMemberIds, {
    ...named(data.id),
    query: { limit: 2, cursor: page.meta.paginate.next_page },
  })
  assert.deepEqual(next.data, [bot.id])
  await ctx.db.updateTable('users').set({ suspended: true }).where('id', '=', mia.id).execute()
  assert.deepEqual(await readers(alice), [bob.id, bot.id])
  await assert.rejects(admin.call(listReadMemberIds, named(data.id)), { status: 403 })
})

test('the read pointer only goes forward, and unread counts follow it', async (t) => {
  const { alice, bob, bot, office, news, as, events, person } = await world(t)
  const web = await as(bob.id, { session: true })
  const sent: number[] = []
  for (const content of ['one', 'two @bob', 'three'])
    sent.push((await alice.call(createMessage, saying(office.id, content))).data.id)
  const unread = async () => (await web.call(listUnread)).data
  assert.deepEqual(await unread(), [
    { chat_id: office.id, thread_id: null, read_message_id: 0, unread_count: 3, mentioned: true },
  ])
  const read = (message_id: number) => web.call(markChatRead, { ...named(office.id), body: { message_id } })
  await read(sent[1] as number)
  await read(sent[0] as number)
  assert.deepEqual(await unread(), [
    { chat_id: office.id, thread_id: null, read_message_id: sent[1], unread_count: 1, mentioned: false },
  ])
  assert.equal((await events()).filter(({ type }) => type === 'read.moved').length, 1)
  await read(sent[2] as number)
  assert.deepEqual(await unread(), [])
  await bob.call(createMessage, saying(office.id, 'own messages are read'))
  assert.deepEqual(await unread(), [])
  await alice.call(createMessage, saying(office.id, 'no name'))
  assert.deepEqual(
    (await unread()).map(({ mentioned }) => mentioned),
    [false],
  )
  await alice.call(createMessage, saying(office.id, '@all look'))
  assert.deepEqual(
    (await unread()).map(({ unread_count, mentioned }) => [unread_count, mentioned]),
    [[2, true]],
  )
  await web.call(markAllRead)
  const { data: own } = await bob.call(createMessage, saying(office.id, 'mine'))
  await web.call(markChatUnread, named(office.id))
  assert.deepEqual(await unread(), [
    { chat_id: office.id, thread_id: null, read_message_id: own.id - 1, unread_count: 1, mentioned: false },
  ])
  const { data: other } = await alice.call(createMessage, saying(news.id, 'elsewhere'))
  await assert.rejects(read(other.id), { status: 404 })
  await assert.rejects(web.call(markChatRead, { ...named(news.id), body: { message_id: other.id } }), {
    status: 404,
  })
  await assert.rejects(bot.call(markChatRead, { ...named(office.id), body: { message_id: other.id } }), {
    status: 403,
  })
  assert.ok(await person({}))
})

test('whoever was added to a thread reads its parent message by id, and nothing else of the chat', async (t) => {
  const { alice, admin, office } = await world(t)
  const { data: parent } = await alice.call(createMessage, saying(office.id, 'parent'))
  const { data: neighbour } = await alice.call(createMessage, saying(office.id, 'neighbour'))
  const { data: thread } = await alice.call(createThread, named(parent.id))
  await assert.rejects(admin.call(getMessage, named(parent.id)), { status: 403 })
  await alice.call(createMessage, saying(thread.id, '@admin look', { entity_type: 'thread' }))
  assert.equal((await admin.call(getMessage, named(parent.id))).data.content, 'parent')
  await assert.rejects(admin.call(getMessage, named(neighbour.id)), { status: 403 })
  await assert.rejects(admin.call(listMessages, { query: { chat_id: office.id } }), { status: 403 })
  assert.equal((await admin.call(listMessages, { query: { chat_id: thread.chat_id } })).data.length, 1)
})
