import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  type ChatCard,
  createDraft,
  createMessage,
  createThread,
  deleteMessage,
  getChatCard,
  getStart,
  markChatRead,
  markChatUnread,
} from '@parley/contract'
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
