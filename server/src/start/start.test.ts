import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  addChatMembers,
  bindChatTags,
  type ChatCard,
  createDraft,
  createGroupTag,
  createMessage,
  createThread,
  createUser,
  deleteMessage,
  getChatCard,
  getStart,
  markChatRead,
  markChatUnread,
  updateChat,
  updateMessage,
  updateUser,
} from '@parley/contract'
import { createOwnCards } from '../chats/own-cards.js'
import { type OwnChats, ownChatsSql } from '../chats/own-chat-queries.js'
import { read } from '../platform/db/index.js'
import { type Person, type World, world } from '../testing/world.js'

const saying = (entity_id: number, content: string, more: object = {}) => ({
  body: { message: { entity_id, content, ...more } },
})
const named = (id: number) => ({ params: { id } })

async function session(w: World, person: Person) {
  return w.as(person.id, { session: true })
}

function counters({ unread_count, mention_count }: ChatCard) {
  return [unread_count, mention_count]
}

test('a client starts with its chats, who is in them, and where the stream goes on', async (t) => {
  const w = await world(t)
  const { alice, bob, office, drain, ctx } = w
  const web = await session(w, bob)
  await alice.call(createMessage, saying(office.id, 'hello @bob'))
  const { data: personal } = await alice.call(createMessage, saying(bob.id, 'psst', { entity_type: 'user' }))
  await bob.call(createDraft, {
    body: { draft: { entity_type: 'discussion', entity_id: office.id, content: 'd' } },
  })
  await drain()
  const { data } = await web.call(getStart)
  const newest = await ctx.db
    .selectFrom('events')
    .select(({ fn }) => fn.max('position').as('position'))
    .executeTakeFirst()
  assert.equal(data.position, String(newest?.position))
  assert.equal(data.user.id, bob.id)
  assert.equal(data.role, 'user')
  assert.ok(data.may.includes('chats.create') && !data.may.includes('users.invite'))
  assert.deepEqual(
    data.chats.map(({ id, kind, personal_user_id }) => ({ id, kind, personal_user_id })),
    [
      { id: personal.chat_id, kind: 'personal', personal_user_id: alice.id },
      { id: office.id, kind: 'conversation', personal_user_id: null },
    ],
  )
  assert.equal(data.chats[0]?.name, 'Alice')
  const card = data.chats[1] as ChatCard
  assert.deepEqual(counters(card), [1, 1])
  assert.equal(card.members_count, 4)
  assert.equal(card.last_message?.content, 'hello @bob')
  assert.deepEqual(data.people.map(({ id }) => id).sort(), [alice.id, bob.id].sort())
  assert.deepEqual(
    data.drafts.map(({ content }) => content),
    ['d'],
  )
  assert.deepEqual((await web.call(getChatCard, named(office.id))).data, card)
})

test('a client that starts again gets what has changed since', async (t) => {
  const w = await world(t)
  const { alice, bob, office } = w
  const web = await session(w, bob)
  const card = async (id = office.id) => {
    const [started, read] = [(await web.call(getStart)).data.chats, await web.call(getChatCard, named(id))]
    const shown = started.find((chat) => chat.id === id) as ChatCard
    assert.deepEqual(shown, read.data)
    return shown
  }
  const { data: message } = await alice.call(createMessage, saying(office.id, 'one @bob'))
  assert.equal((await card()).last_message?.content, 'one @bob')
  await alice.call(updateMessage, { ...named(message.id), body: { message: { content: 'two' } } })
  assert.equal((await card()).last_message?.content, 'two')
  await alice.call(updateChat, { ...named(office.id), body: { chat: { name: 'Workshop' } } })
  assert.equal((await card()).name, 'Workshop')
  const { data: guest } = await w.admin.call(createUser, {
    body: { user: { email: 'late@example.com', first_name: 'Late' } },
  })
  const before = await card()
  await alice.call(addChatMembers, { ...named(office.id), body: { member_ids: [guest.id] } })
  assert.equal((await card()).members_count, before.members_count + 1)
  const { data: tag } = await w.admin.call(createGroupTag, { body: { group_tag: { name: 'late' } } })
  await alice.call(bindChatTags, { ...named(office.id), body: { group_tag_ids: [tag.id] } })
  assert.deepEqual((await card()).group_tag_ids, [...before.group_tag_ids, tag.id])
  await web.call(markChatRead, { ...named(office.id), body: { message_id: message.id } })
  assert.deepEqual(counters(await card()), [0, 0])
  const { data: third } = await alice.call(createMessage, saying(office.id, 'three @late'))
  assert.deepEqual(counters(await card()), [1, 0])
  await w.admin.call(updateUser, { ...named(bob.id), body: { user: { list_tags: ['late'] } } })
  assert.deepEqual(counters(await card()), [1, 1])
  await alice.call(deleteMessage, named(third.id))
  assert.equal((await card()).last_message?.content, undefined)
  const { data: personal } = await alice.call(createMessage, saying(bob.id, 'psst', { entity_type: 'user' }))
  assert.equal((await card(personal.chat_id)).name, 'Alice')
  await w.admin.call(updateUser, { ...named(alice.id), body: { user: { first_name: 'Alicia' } } })
  assert.equal((await card(personal.chat_id)).name, 'Alicia')
})

test('a chat that changes while a client starts comes whole as it is now', async (t) => {
  const w = await world(t)
  const { alice, bob, office, ctx } = w
  const own = createOwnCards(ctx)
  const viewer = { user_id: bob.id, role: 'user' as const }
  await alice.call(createMessage, saying(office.id, 'one'))
  const [chats] = await read(ctx.db, ownChatsSql(bob.id, '', { facts: true, author_ids: [] }))
  const { data: second } = await alice.call(createMessage, saying(office.id, 'two'))
  const { cards } = await own.read(ctx, viewer, chats as OwnChats)
  const card = (JSON.parse(`[${cards}]`) as ChatCard[]).find(({ id }) => id === office.id) as ChatCard
  assert.equal(card.last_message_id, second.id)
  assert.deepEqual(counters(card), [2, 0])
})

test('a card says what its reader may do, by the rules that judge it', async (t) => {
  const w = await world(t)
  const { alice, bob, mia, admin, office, attic, news } = w
  const card = async (person: Person, id: number) =>
    (await (await session(w, person)).call(getChatCard, named(id))).data
  const owner = await card(alice, office.id)
  assert.equal(owner.my_role, 'owner')
  for (const act of [
    'write',
    'pin',
    'edit',
    'archive',
    'add_members',
    'remove_members',
    'set_roles',
  ] as const)
    assert.ok(owner.may.includes(act), act)
  assert.deepEqual((await card(bob, office.id)).may, [
    'write',
    'pin',
    'start_thread',
    'add_members',
    'bind_tags',
    'leave',
  ])
  assert.deepEqual((await card(mia, office.id)).may, ['write', 'pin', 'start_thread'])
  assert.deepEqual((await card(alice, attic.id)).may, ['unarchive', 'leave'])
  const open = await card(bob, news.id)
  assert.deepEqual([open.my_role, open.read_message_id], [null, null])
  assert.deepEqual(open.may, ['start_thread', 'edit', 'add_members', 'bind_tags'])
  await assert.rejects(card(admin, office.id), { status: 403, code: 'not_authorized' })
  await assert.rejects(card(bob, 999_999), { status: 404, code: 'not_found' })
})

test('unread is what others wrote after the pointer, without what was deleted', async (t) => {
  const w = await world(t)
  const { alice, bob, mia, office } = w
  const web = await session(w, bob)
  const unread = async () => counters((await web.call(getChatCard, named(office.id))).data)
  const { data: first } = await alice.call(createMessage, saying(office.id, 'one'))
  const { data: second } = await alice.call(createMessage, {
    ...saying(office.id, 'two @all'),
    idempotency_key: 'k',
  })
  const { data: third } = await mia.call(createMessage, saying(office.id, 'three @bob @bob'))
  assert.deepEqual(await unread(), [3, 2])
  await alice.call(deleteMessage, named(second.id))
  assert.deepEqual(await unread(), [2, 1])
  await web.call(markChatRead, { ...named(office.id), body: { message_id: first.id } })
  assert.deepEqual(await unread(), [1, 1])
  await web.call(markChatRead, { ...named(office.id), body: { message_id: third.id } })
  assert.deepEqual(await unread(), [0, 0])
  await web.call(markChatUnread, { ...named(office.id), body: { message_id: third.id } })
  assert.deepEqual(await unread(), [1, 1])
  await bob.call(createMessage, saying(office.id, 'my own'))
  assert.deepEqual(await unread(), [0, 0])
})

test('followed threads with something unread are counted', async (t) => {
  const w = await world(t)
  const { alice, bob, office } = w
  const web = await session(w, bob)
  const { data: root } = await bob.call(createMessage, saying(office.id, 'root'))
  const { data: thread } = await bob.call(createThread, named(root.id))
  assert.equal((await web.call(getStart)).data.unread_threads, 0)
  await alice.call(createMessage, saying(thread.id, 'reply', { entity_type: 'thread' }))
  assert.equal((await web.call(getStart)).data.unread_threads, 1)
})
