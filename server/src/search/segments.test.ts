import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { type QueryOf, searchMessages } from '@parley/contract'
import { rowsReadBy } from '../testing/rows-read.js'
import { world } from '../testing/world.js'
import { closeSegments } from './segment-queries.js'

type Query = QueryOf<typeof searchMessages>

const SEGMENT = 4096
const HOUR_MS = 3_600_000
const START_MS = Date.UTC(2026, 0, 1)

interface Said {
  segment: number
  hour: number
  content: string
  /** In a chat that the one who searches is not in. */
  elsewhere?: true
}

/** Messages in segments and at times of their own; search knows the times of all segments but the last. */
async function setUp(t: TestContext, said: Said[]) {
  const { ctx, alice, bob, office, news } = await world(t)
  const counts = new Map<number, number>()
  const rows = said.map(({ segment, hour, content, elsewhere }) => {
    const number = counts.get(segment) ?? 0
    counts.set(segment, number + 1)
    const time = new Date(START_MS + hour * HOUR_MS)
    const chat_id = elsewhere ? news.id : office.id
    const place = { chat_id, root_chat_id: chat_id, user_id: alice.id }
    return { id: segment * SEGMENT + number, ...place, content, created_at: time, changed_at: time }
  })
  await ctx.db.insertInto('messages').values(rows).execute()
  const last = Math.max(...rows.map(({ id }) => id))
  await ctx.pool.query(`select setval('messages_id_seq', $1)`, [last])
  // Transactions of other tests are waited for, too.
  const open = () =>
    ctx.db.selectFrom('search_segments').select('segment').where('newest', 'is', null).execute()
  while ((await closeSegments(ctx.db)) > 0 || (await open()).length > 0);
  const search = (query: Query) => bob.call(searchMessages, { query })
  return { ctx, search }
}

/** All pages from the first on, and their texts. */
async function pages(
  search: (query: Query) => ReturnType<Awaited<ReturnType<typeof setUp>>['search']>,
  query: Query,
) {
  const found: string[][] = []
  let cursor: string | undefined
  for (;;) {
    const { data, meta } = await search({ ...query, cursor })
    found.push(data.map(({ content }) => content))
    if (!meta.paginate.has_next) return found
    cursor = meta.paginate.next_page
  }
}

test('messages are sorted by time where an imported history has later ids', async (t) => {
  const said = Array.from({ length: 12 }, (_, n) => ({
    segment: n < 6 ? 6 + n : n - 6,
    hour: n,
    content: `план ${n}`,
  }))
  const { search } = await setUp(t, said)
  const newest = said.map(({ content }) => content).reverse()
  assert.deepEqual((await pages(search, { query: 'план', limit: 5 })).flat(), newest)
  assert.deepEqual(
    (await pages(search, { query: 'план', limit: 5, order: 'asc' })).flat(),
    newest.toReversed(),
  )
  const { data } = await search({ query: 'план', created_to: new Date(START_MS + 3 * HOUR_MS).toISOString() })
  assert.deepEqual(
    data.map(({ content }) => content),
    ['план 3', 'план 2', 'план 1', 'план 0'],
  )
})

test('words that are common but rarely meet are looked for a part of the history at a time', async (t) => {
  const common = ['красный', 'зеленый'].flatMap((content) =>
    Array.from({ length: 150 }, () => ({ segment: 200, hour: 200, content })),
  )
  const meeting = [150, 40].map((segment) => ({
    segment,
    hour: segment,
    content: `красный зеленый ${segment}`,
  }))
  const others = Array.from({ length: 200 }, (_, n) => ({ segment: n, hour: n, content: 'о другом' }))
  const { search } = await setUp(t, [...common, ...meeting, ...others])
  const query = { query: 'красный зеленый' }
  assert.deepEqual(await pages(search, query), [['красный зеленый 150'], ['красный зеленый 40']])
  const { data, meta } = await search(query)
  assert.deepEqual([meta.total, meta.total_is_exact, data.length], [1, false, 1])
  const next = await search({ ...query, cursor: meta.paginate.next_page })
  assert.equal(next.meta.paginate.has_prev, true)
  const back = await search({ ...query, cursor: next.meta.paginate.prev_page })
  assert.deepEqual(
    back.data.map(({ content }) => content),
    ['красный зеленый 150'],
  )
})

const CROWDED = 60

/** So many messages in a chat of the one who searches, and in another, in each of some segments. */
function crowd(own: number, others: number): Said[] {
  return Array.from({ length: CROWDED }, (_, n) => {
    const place = { segment: n, hour: n }
    const foreign = { ...place, content: 'янтарный', elsewhere: true as const }
    const mine = Array.from({ length: own }, (_, k) => ({ ...place, content: `янтарный ${n}.${k}` }))
    return [...Array.from({ length: others }, () => foreign), ...mine]
  }).flat()
}

for (const [how, own, others] of [
  ['it is a little', 4, 1],
  ['it is nearly everything', 1, 100],
] as const)
  test(`what is written in other chats is not found where ${how}`, async (t) => {
    const said = crowd(own, others)
    const { search } = await setUp(t, said)
    const mine = said.filter(({ elsewhere }) => !elsewhere).map(({ content }) => content)
    const query = { query: 'янтарный', limit: 25 }
    assert.deepEqual((await pages(search, query)).flat(), mine.toReversed())
    assert.deepEqual((await pages(search, { ...query, order: 'asc' })).flat(), mine)
    const { data } = await search({ ...query, sort: 'relevance', limit: 200 })
    assert.equal(data.length, Math.min(mine.length, 200))
  })

test('a rare word is found in the whole history at once', async (t) => {
  const { search } = await setUp(t, [
    { segment: 300, hour: 300, content: 'обычное' },
    { segment: 1, hour: 1, content: 'редкостное' },
  ])
  const { data, meta } = await search({ query: 'редкостное' })
  assert.deepEqual([data.length, meta.total, meta.total_is_exact], [1, 1, true])
})

test('of a long history the next segments alone are read', async (t) => {
  const common = Array.from({ length: 60 }, () => ({ segment: 1500, hour: 1500, content: 'обычное' }))
  const { ctx, search } = await setUp(t, [...common, { segment: 1501, hour: 1501, content: 'обычное' }])
  await ctx.pool.query(
    `update search_segments set oldest = $1::timestamptz + segment * interval '1 hour',
    newest = $1::timestamptz + segment * interval '1 hour' where newest = '-infinity'`,
    [new Date(START_MS)],
  )
  await ctx.pool.query('analyze search_segments')
  const span = { created_from: '2026-01-02', created_to: '2027-01-01' }
  for (const filter of [{}, span])
    for (const order of ['desc', 'asc'] as const) {
      const work = () => search({ query: 'обычное', limit: 20, order, ...filter })
      const read = await rowsReadBy(t, ctx, work, { indexed: true })
      assert.ok(read < 800, `${read} rows, ${order}, ${JSON.stringify(filter)}`)
    }
})

test('a part of very many words is found in the texts', async (t) => {
  const words = Array.from({ length: 400 }, (_, n) => `сан${n.toString(36)}`)
  const { search } = await setUp(t, [
    { segment: 3, hour: 3, content: `Вот: ${words.join(' ')}` },
    { segment: 2, hour: 2, content: 'ПоСАНкциям' },
    { segment: 1, hour: 1, content: 'о другом' },
  ])
  const { data, meta } = await search({ query: 'сан' })
  assert.deepEqual([data.length, meta.total, meta.total_is_exact], [2, 2, true])
  assert.equal((await search({ query: 'сан санкциям' })).meta.total, 1)
})
