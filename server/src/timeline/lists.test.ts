import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  createGroupTag,
  createMessage,
  createThread,
  deleteMessage,
  followThread,
  getChatCard,
  getStart,
  listMentions,
  listThreadInbox,
  markAllRead,
  markChatRead,
} from '@parley/contract'
import { world } from '../testing/world.js'

const saying = (entity_id: number, content: string, more: object = {}) => ({
  body: { message: { entity_id, content, ...more } },
})
const named = (id: number) => ({ params: { id } })

test('messages that name somebody are listed for them, newest first', async (t) => {
  const w = await world(t)
  const { alice, bob, admin, mia, office } = w
  const web = await w.as(bob.id, { session: true })
  const { data: first } = await alice.call(createMessage, saying(office.id, 'one @bob'))
  await alice.call(createMessage, saying(office.id, 'two @mia'))
  const { data: third } = await alice.call(createMessage, saying(office.id, 'three @all'))
  const { data: gone } = await alice.call(createMessage, saying(office.id, 'four @bob'))
  await alice.call(deleteMessage, named(gone.id))
  await bob.call(createMessage, saying(office.id, 'my own @all'))
  const ids = async (person: typeof web, limit = 50) => {
    const { data } = await person.call(listMentions, { query: { limit } })
    return data.map(({ message }) => message.id)
  }
  assert.deepEqual(await ids(web), [third.id, first.id])
  const { data, meta } = await web.call(listMentions, { query: { limit: 1 } })
  assert.equal(data[0]?.message.mentioned, true)
  const rest = await web.call(listMentions, { query: { limit: 1, cursor: meta.paginate.next_page } })
  assert.deepEqual(
    rest.data.map(({ message }) => message.id),
    [first.id],
  )
  assert.equal((await ids(await w.as(mia.id, { session: true }))).length, 3)
  // Named in a closed chat that they are not in: they may not read it.
  await alice.call(createMessage, saying(office.id, 'hey @admin'))
  assert.deepEqual(await ids(await w.as(admin.id, { session: true })), [])
  await assert.rejects(w.bot.call(listMentions), { status: 403, code: 'not_authorized' })
})

test('a message that names somebody by a tag and with everybody is listed once, and pages stay full', async (t) => {
  const w = await world(t)
  const { alice, bob, office } = w
  const { data: tag } = await w.owner.call(createGroupTag, { body: { group_tag: { name: 'Crew' } } })
  await w.ctx.pool.query('insert into user_tags (tag_id, user_id) values ($1, $2)', [tag.id, bob.id])
  const said: number[] = []
  for (let n = 0; n < 12; n += 1) {
    const { data } = await alice.call(createMessage, saying(office.id, `${n} @crew @all`))
    said.unshift(data.id)
  }
  const web = await w.as(bob.id, { session: true })
  const first = await web.call(listMentions, { query: { limit: 10 } })
  const second = await web.call(listMentions, {
    query: { limit: 10, cursor: first.meta.paginate.next_page },
  })
  assert.deepEqual(
    [first, second].map(({ data }) => data.map(({ message }) => message.id)),
    [said.slice(0, 10), said.slice(10)],
  )
  assert.deepEqual(
    [first, second].map(({ meta }) => meta.paginate.has_next),
    [true, false],
  )
})

test('followed threads are an inbox, with their parent and last replies', async (t) => {
  const w = await world(t)
  const { alice, bob, admin, office } = w
  const web = await w.as(bob.id, { session: true })
  const { data: root } = await alice.call(createMessage, saying(office.id, 'root'))
  const { data: thread } = await alice.call(createThread, named(root.id))
  for (const content of ['1', '2', '3'])
    await alice.call(createMessage, saying(thread.id, content, { entity_type: 'thread' }))
  const inbox = async () => (await web.call(listThreadInbox)).data
  assert.deepEqual(await inbox(), [])
  const follow = (following: boolean) => web.call(followThread, { ...named(thread.id), body: { following } })
  await follow(true)
  await follow(true)
  const unread = async () => (await inbox())[0]?.thread.unread_count
  assert.equal(await unread(), 0)
  await alice.call(createMessage, saying(thread.id, '4', { entity_type: 'thread' }))
  const [item] = await inbox()
  assert.equal(item?.parent?.content, 'root')
  assert.deepEqual(
    item?.last_replies.map(({ content }) => content),
    ['3', '4'],
  )
  assert.deepEqual(
    [item?.thread.replies_count, item?.thread.unread_count, item?.thread.root_chat_id],
    [4, 1, office.id],
  )
  await web.call(markChatRead, named(thread.chat_id))
  assert.equal(await unread(), 0)
  await follow(false)
  assert.deepEqual(await inbox(), [])
  const stranger = await w.as(admin.id, { session: true })
  const refused = stranger.call(followThread, { ...named(thread.id), body: { following: true } })
  await assert.rejects(refused, { status: 403, code: 'not_authorized' })
  const nothing = web.call(followThread, { ...named(999_999), body: { following: true } })
  await assert.rejects(nothing, { status: 404, code: 'not_found' })
})

test('everything is read at once, and told chat by chat', async (t) => {
  const w = await world(t)
  const { alice, bob, office, events } = w
  const web = await w.as(bob.id, { session: true })
  await alice.call(createMessage, saying(office.id, 'one @bob'))
  const { data: personal } = await alice.call(createMessage, saying(bob.id, 'two', { entity_type: 'user' }))
  await web.call(markAllRead)
  await web.call(markAllRead)
  const { data } = await web.call(getStart)
  assert.deepEqual(
    data.chats.map(({ unread_count, mention_count }) => unread_count + mention_count),
    [0, 0],
  )
  const moved = (await events()).filter(({ type }) => type === 'read.moved').map(({ chat_id }) => chat_id)
  assert.deepEqual(moved.sort(), [office.id, personal.chat_id].sort())
  await alice.call(createMessage, saying(office.id, 'three'))
  await web.call(markChatRead, named(office.id))
  assert.equal((await web.call(getChatCard, named(office.id))).data.unread_count, 0)
})
