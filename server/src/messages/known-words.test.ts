import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createMessage, searchMessages } from '@parley/contract'
import { actingFor } from '../platform/actor.js'
import { world } from '../testing/world.js'
import { createFacts } from './chat-facts.js'
import { createKnownWords } from './known-words.js'
import { createPostBatch } from './post-batch.js'

const clock = { now: () => 0 }

test('a text is news until all of its pieces were learned, and again an hour later', () => {
  let time = 0
  const words = createKnownWords({ now: () => time })
  assert.equal(words.isNews('red table'), true)
  words.learn('red table')
  assert.equal(words.isNews('table red'), false)
  assert.equal(words.isNews('red tables'), true)
  time += 3_600_000
  assert.equal(words.isNews('table red'), true)
})

test('what is very long is always news', () => {
  const words = createKnownWords(clock)
  const long = 'x'.repeat(1000)
  words.learn(long)
  assert.equal(words.isNews(long), true)
})

test('a word that another message brought is found in the next, and new ones beside it', async (t) => {
  const { alice, office, ctx } = await world(t)
  const say = (content: string) =>
    alice.call(createMessage, { body: { message: { entity_id: office.id, content } } })
  const find = async (query: string) => (await alice.call(searchMessages, { query: { query } })).meta.total
  await say('сметы проекта')
  await say('проекта сметы')
  await say('сметы подрядчика')
  assert.deepEqual([await find('смета'), await find('проект'), await find('рядчик')], [3, 2, 1])
  const words = await ctx.db.selectFrom('search_words').select('word').orderBy('word').execute()
  assert.deepEqual(
    words.map(({ word }) => word),
    ['подрядчика', 'проекта', 'сметы'],
  )
})

test('the batch alone adds the words of its messages itself; any other insert on its pool leaves them to the trigger', async (t) => {
  const { alice, office, ctx } = await world(t)
  const pool = ctx.hot_pool
  const batch = createPostBatch(ctx, pool, createFacts(pool))
  const actor = actingFor(alice.id, 'user', 'standard')
  for (const content of ['apple', 'banana'])
    assert.ok(await batch.post(actor, { entity_id: office.id, content }))
  // The same connections, afterwards and concurrently.
  for (const content of ['cherry', 'date'])
    await pool.query(
      `insert into messages (chat_id, root_chat_id, user_id, content, created_at, changed_at)
       values ($1, $1, $2, $3, now(), now())`,
      [office.id, alice.id, content],
    )
  const words = await ctx.db.selectFrom('search_words').select('word').orderBy('word').execute()
  assert.deepEqual(
    words.map(({ word }) => word),
    ['apple', 'banana', 'cherry', 'date'],
  )
})
