import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  addChatMembers,
  addReaction,
  createMessage,
  createThread,
  deleteMessage,
  listTimeline,
  markChatRead,
  pinMessage,
  type QueryOf,
  updateChat,
  updateMessage,
} from '@parley/contract'
import { sql } from 'kysely'
import { type Person, type World, world } from '../testing/world.js'
import { presentFor, readShared, type SharedMessage } from './shared.js'
import { readOwnFacts } from './shared-queries.js'

const saying = (entity_id: number, content: string, more: object = {}) => ({
  body: { message: { entity_id, content, ...more } },
})
const named = (id: number) => ({ params: { id } })

/** Somebody's timeline of a chat, as contents. */
async function reader(w: World, person: Person, chatId: number) {
  const web = await w.as(person.id, { session: true })
  return async (query: QueryOf<typeof listTimeline> = {}) => {
    const { data, meta } = await web.call(listTimeline, { ...named(chatId), query })
    return { said: data.map(({ content }) => content), data, ...meta }
  }
}

test('a timeline is read from any place, both ways', async (t) => {
  const w = await world(t)
  const { alice, bob, office, clock } = w
  const ids: number[] = []
  const times: string[] = []
  for (let n = 1; n <= 9; n += 1) {
    const { data } = await alice.call(createMessage, saying(office.id, String(n)))
    ids.push(data.id)
    times.push(data.created_at)
    clock.advance(60_000)
  }
  const at = (n: number) => ids[n - 1] as number
  const read = await reader(w, bob, office.id)
  const newest = await read({ limit: 3 })
  assert.deepEqual(newest.said, ['7', '8', '9'])
  assert.deepEqual([newest.has_older, newest.has_newer, newest.anchor_id], [true, false, null])
  assert.deepEqual((await read({ before: at(7), limit: 3 })).said, ['4', '5', '6'])
  assert.deepEqual((await read({ after: at(7), limit: 3 })).said, ['8', '9'])
  const flags = async (query: object) => {
    const { has_older, has_newer, anchor_id } = await read(query)
    return [has_older, has_newer, anchor_id]
  }
  assert.deepEqual(await flags({ before: at(7), limit: 3 }), [true, true, null])
  assert.deepEqual(await flags({ before: at(1) }), [false, true, null])
  assert.deepEqual(await flags({ before: at(9) + 1, limit: 9 }), [false, false, null])
  assert.deepEqual(await flags({ after: at(7), limit: 1 }), [true, true, null])
  assert.deepEqual(await flags({ after: at(9) }), [true, false, null])
  assert.deepEqual(await flags({ after: at(1) - 1 }), [false, false, null])
  const around = await read({ around: at(5), limit: 4 })
  assert.deepEqual(around.said, ['3', '4', '5', '6'])
  assert.deepEqual([around.has_older, around.has_newer, around.anchor_id], [true, true, at(5)])
  for (let n = 1; n <= 9; n += 1)
    assert.equal((await read({ at: times[n - 1] as string, limit: 1 })).anchor_id, at(n))
  assert.equal((await read({ at: '2999-01-01T00:00:00Z' })).anchor_id, null)
  await (await w.as(bob.id, { session: true })).call(markChatRead, {
    ...named(office.id),
    body: { message_id: at(6) },
  })
  assert.equal((await read({ first_unread: true, limit: 4 })).anchor_id, at(7))
  const all = await read()
  assert.deepEqual([all.said.length, all.has_older], [9, false])
})

test('a message comes with all that is shown of it, as its reader sees it', async (t) => {
  const w = await world(t)
  const { alice, bob, mia, office } = w
  const { data: root } = await alice.call(createMessage, saying(office.id, 'look @bob'))
  await bob.call(addReaction, { ...named(root.id), body: { code: '👍' } })
  await mia.call(addReaction, { ...named(root.id), body: { code: '👍' } })
  await alice.call(pinMessage, named(root.id))
  const { data: thread } = await alice.call(createThread, named(root.id))
  await alice.call(createMessage, saying(thread.id, 'reply', { entity_type: 'thread' }))
  await alice.call(createMessage, saying(office.id, 'an answer', { parent_message_id: root.id }))
  await alice.call(updateMessage, { ...named(root.id), body: { message: { content: 'look here @bob' } } })
  const [shown, answer] = (await (await reader(w, bob, office.id))()).data
  assert.deepEqual(shown?.reactions, [
    { code: '👍', name: shown?.reactions[0]?.name, count: 2, mine: true, user_ids: [bob.id, mia.id] },
  ])
  assert.deepEqual([shown?.pinned, shown?.mentioned, shown?.edited], [true, true, true])
  assert.deepEqual(
    { ...shown?.thread, last_reply_at: null },
    {
      id: thread.id,
      chat_id: thread.chat_id,
      replies_count: 1,
      last_reply_at: null,
      last_replier_ids: [alice.id],
      following: true,
      unread_count: 1,
    },
  )
  assert.deepEqual(answer?.quoted, {
    id: root.id,
    user_id: alice.id,
    content: 'look here @bob',
    files_count: 0,
    deleted: false,
  })
  const [seenByAuthor] = (await (await reader(w, alice, office.id))()).data
  assert.deepEqual([seenByAuthor?.mentioned, seenByAuthor?.reactions[0]?.mine], [false, false])
  assert.deepEqual((await (await reader(w, bob, thread.chat_id))()).said, ['reply'])
})

test('a page names whom its messages show, and nobody else', async (t) => {
  const { owner, alice, bob, mia, office, as } = await world(t)
  const shown = async () => {
    const { people } = await (await as(alice.id, { session: true })).call(listTimeline, named(office.id))
    return people.map(({ id }) => id)
  }
  const sorted = (...people: { id: number }[]) => people.map(({ id }) => id).sort((a, b) => a - b)
  const { data: root } = await alice.call(createMessage, saying(office.id, 'first'))
  assert.deepEqual(await shown(), sorted(alice))
  await mia.call(addReaction, { ...named(root.id), body: { code: '👍' } })
  assert.deepEqual(await shown(), sorted(alice, mia))
  const { data: thread } = await alice.call(createThread, named(root.id))
  await bob.call(createMessage, saying(thread.id, 'reply', { entity_type: 'thread' }))
  assert.deepEqual(await shown(), sorted(alice, mia, bob))
  await alice.call(addChatMembers, { ...named(office.id), body: { member_ids: [owner.id] } })
  assert.deepEqual(await shown(), sorted(alice, mia, bob, owner))
})

test('what was read before is read again after each change, and is the same for a live stream', async (t) => {
  const w = await world(t)
  const { alice, bob, mia, office, ctx } = w
  const read = await reader(w, bob, office.id)
  const { data: root } = await alice.call(createMessage, saying(office.id, 'first @bob'))
  const { data: thread } = await alice.call(createThread, named(root.id))
  const { data: second } = await mia.call(
    createMessage,
    saying(office.id, 'see', { parent_message_id: root.id }),
  )
  const changes: (() => Promise<unknown>)[] = [
    () => alice.call(updateMessage, { ...named(root.id), body: { message: { content: 'again @bob' } } }),
    () => bob.call(addReaction, { ...named(root.id), body: { code: '🎉' } }),
    () => alice.call(pinMessage, named(second.id)),
    () =>
      sql`insert into link_previews (message_id, position, url, title, description)
        values (${second.id}, 0, 'https://example.org', 'A page', '')`.execute(ctx.autocommit),
    () => mia.call(createMessage, saying(thread.id, 'reply', { entity_type: 'thread' })),
    () => alice.call(updateChat, { ...named(office.id), body: { chat: { name: 'bureau' } } }),
    () => alice.call(deleteMessage, named(root.id)),
  ]
  let before = await read()
  for (const change of changes) {
    await change()
    const { data } = await read()
    assert.notDeepEqual(data, before.data, String(change))
    const ids = data.map(({ id }) => id)
    const shared = await readShared(ctx, bob.id, ids)
    const facts = await readOwnFacts(ctx.db, ids, [bob.id])
    for (const message of data)
      assert.deepEqual(presentFor(shared.get(message.id) as SharedMessage, facts, bob.id), message)
    before = { ...before, data }
  }
})

test('deleted messages stay as stubs, and system lines come as data', async (t) => {
  const w = await world(t)
  const { alice, bob, office } = w
  const { data: gone } = await alice.call(createMessage, saying(office.id, 'oops'))
  await alice.call(createMessage, saying(office.id, 'kept'))
  await alice.call(deleteMessage, named(gone.id))
  await alice.call(updateChat, { ...named(office.id), body: { chat: { name: 'bureau' } } })
  const { data } = await (await reader(w, bob, office.id))()
  assert.deepEqual(
    data.map(({ content, deleted_at, system }) => [content, deleted_at !== null, system]),
    [
      ['', true, false],
      ['kept', false, false],
      ['Alice renamed the chat to "bureau"', false, true],
    ],
  )
  assert.deepEqual(data[2]?.system_event, {
    kind: 'chat_renamed',
    actor_id: alice.id,
    user_ids: [],
    users_count: 0,
    name: 'bureau',
  })
})

test('a timeline is read by those who may read the chat, from one place at a time', async (t) => {
  const w = await world(t)
  const { admin, bob, office, news } = w
  await assert.rejects((await reader(w, admin, office.id))(), { status: 403, code: 'not_authorized' })
  await assert.rejects((await reader(w, bob, 999_999))(), { status: 404, code: 'not_found' })
  assert.deepEqual((await (await reader(w, bob, news.id))()).data, [])
  const read = await reader(w, bob, office.id)
  await assert.rejects(read({ before: 1, after: 1 }), { status: 400, code: 'invalid' })
  await assert.rejects(read({ at: 'yesterday' }), { status: 400, code: 'invalid' })
  await assert.rejects(w.bot.call(listTimeline, named(office.id)), { status: 403, code: 'not_authorized' })
})
