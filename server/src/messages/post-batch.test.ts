import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createMessage, createThread, getMessage, type Message } from '@parley/contract'
import { type Actor, actingFor } from '../platform/actor.js'
import { type Person, type World, world } from '../testing/world.js'
import { createFacts } from './chat-facts.js'
import type { NewMessage } from './post.js'
import { createPostBatch, POST_STATEMENT } from './post-batch.js'

/** The batch by itself, so that a test sees what it writes and what it leaves to the plain way. */
function batchOf({ ctx }: World) {
  const batch = createPostBatch(ctx, ctx.hot_pool, createFacts(ctx.hot_pool))
  return async (who: Person, input: NewMessage, role: Actor['role'] = 'user'): Promise<Message | null> => {
    const text = await batch.post(actingFor(who.id, role, 'corporation'), input)
    return text === null ? null : JSON.parse(text).data
  }
}

test('the batch takes plain text into chats, threads and personal chats, and answers what a read gives', async (t) => {
  const w = await world(t)
  const { alice, bob, bot, office, news } = w
  const post = batchOf(w)
  const saying = { body: { message: { entity_id: office.id, content: 'parent' } } }
  const { data: parent } = await alice.call(createMessage, saying)
  const { data: thread } = await alice.call(createThread, { params: { id: parent.id } })
  await alice.call(createMessage, {
    body: { message: { entity_type: 'user', entity_id: bob.id, content: 'first' } },
  })
  const taken: [Person, NewMessage, Actor['role']?][] = [
    [alice, { entity_id: office.id, content: 'hello @all https://a.org', link_preview: true }],
    [alice, { entity_id: news.id, content: 'news' }],
    [alice, { entity_type: 'thread', entity_id: thread.id, content: 'comment' }],
    [alice, { entity_id: thread.chat_id, content: 'comment by chat id' }],
    [alice, { entity_type: 'user', entity_id: bob.id, content: 'psst' }],
    [bot, { entity_id: office.id, content: 'beep' }, 'bot'],
    [
      alice,
      { entity_id: office.id, content: 'people have no buttons', buttons: [[{ text: 'x', data: 'y' }]] },
    ],
  ]
  for (const [who, input, role] of taken) {
    const message = await post(who, input, role)
    assert.ok(message, `${input.content} is taken`)
    assert.deepEqual((await who.call(getMessage, { params: { id: message.id } })).data, message)
  }
})

test('the batch leaves to the plain way what is special, refused or new', async (t) => {
  const w = await world(t)
  const { alice, bob, admin, bot, office, attic, news } = w
  const post = batchOf(w)
  const { data: parent } = await alice.call(createMessage, {
    body: { message: { entity_id: office.id, content: 'parent' } },
  })
  const { data: thread } = await alice.call(createThread, { params: { id: parent.id } })
  const left: [Person, NewMessage, Actor['role']?][] = [
    [alice, { entity_id: office.id, content: ' ' }],
    [alice, { entity_id: office.id, content: `<@${bob.id}>` }],
    [alice, { entity_id: office.id, content: 'answer', parent_message_id: parent.id }],
    [alice, { entity_type: 'thread', entity_id: thread.id, content: 'come @bob' }],
    [bob, { entity_type: 'thread', entity_id: thread.id, content: 'not in it yet' }],
    [bot, { entity_id: office.id, content: 'x', display_name: 'X' }, 'bot'],
    [alice, { entity_type: 'user', entity_id: bob.id, content: 'no chat yet' }],
    [alice, { entity_id: attic.id, content: 'archived' }],
    [bob, { entity_id: news.id, content: 'not a member' }],
    [admin, { entity_id: office.id, content: 'not a member' }, 'admin'],
    [alice, { entity_id: 999_999, content: 'nowhere' }],
  ]
  for (const [who, input, role] of left) assert.equal(await post(who, input, role), null, input.content ?? '')
})

test('a row that the database refuses does not take its neighbours with it', async (t) => {
  const w = await world(t)
  const { alice, bob, office, ctx } = w
  const post = batchOf(w)
  // Stands for any fault of a single row.
  await ctx.pool.query(`alter table messages add constraint no_bomb check (content <> 'bomb')`)
  const results = await Promise.all([
    post(alice, { entity_id: office.id, content: 'before' }),
    post(bob, { entity_id: office.id, content: 'bomb' }),
    post(bob, { entity_id: office.id, content: 'after' }),
  ])
  assert.deepEqual(
    results.map((message) => message?.content ?? null),
    ['before', null, 'after'],
  )
})

test('words are looked up one by one, also by a plan from when there were none', async (t) => {
  const { ctx } = await world(t)
  await ctx.hot_pool.query('delete from search_words')
  await ctx.hot_pool.query('vacuum analyze search_words')
  const { rows } = await ctx.hot_pool.query(`explain (generic_plan) ${POST_STATEMENT}`)
  const lines = rows.map((row: Record<string, string>) => row['QUERY PLAN'] ?? '')
  const scan = lines.findIndex((line: string) => line.includes('on search_words known'))
  assert.match(lines[scan + 1] ?? '', /Index Cond: \(word = said/, lines[scan])
})
