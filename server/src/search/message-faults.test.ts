import assert from 'node:assert/strict'
import { test } from 'node:test'
import { getChat, searchMessages } from '@parley/contract'
import { type Query, setUp } from './testing-search.js'

test('faults of a search are told', async (t) => {
  const { alice, as, search, say } = await setUp(t)
  const cases: [object, string, string][] = [
    [{}, 'query', 'required'],
    [{ query: ' ' }, 'query', 'required'],
    [{ query: 'x', created_from: 'yesterday' }, 'created_from', 'invalid'],
    [{ query: 'x', created_to: '2026-02-30' }, 'created_to', 'invalid'],
    [{ query: 'x', sort: 'size' }, 'sort', 'in'],
    [{ query: 'x', order: 'up' }, 'order', 'in'],
    [{ query: 'x', limit: 0 }, 'limit', 'invalid'],
    [{ query: 'x', cursor: 'nonsense-nonsense' }, 'cursor', 'invalid'],
    [{ query: 'x', chat_ids: ['a'] }, 'chat_ids', 'invalid'],
  ]
  for (const [query, key, code] of cases) {
    await assert.rejects(search(query as Query), (error: { status: number; errors: { key: string }[] }) => {
      assert.deepEqual([error.status, error.errors[0]?.key], [400, key])
      assert.equal((error as unknown as { code: string }).code, code)
      return true
    })
  }
  await say('по-старому')
  const old = await alice.call(searchMessages, { query: { 'search[query]': 'старому' } as unknown as Query })
  assert.equal(old.meta.total, 1)
  assert.equal((await search({ query: 'старому', limit: 100_000 })).data.length, 1)
  const reader = await as(alice.id, { scopes: ['messages:read'] })
  await assert.rejects(search('x', reader), { status: 403, code: 'insufficient_scope' })
})

test('odd queries find nothing or something, but break nothing', async (t) => {
  const { search, say } = await setUp(t)
  await say("it's 100% \\ fine & <b> | ! :* 'quoted'")
  for (const query of [
    "'",
    '"',
    '""',
    '\\',
    ':*',
    '!',
    '&|',
    '(',
    "a'b",
    '%',
    '_',
    '<->',
    'я'.repeat(1000),
    '\u0301',
    '"a" "b',
  ])
    await search(query)
  assert.equal((await search("it's fine")).meta.total, 1)
  assert.equal((await search('100%')).meta.total, 1)
})

test('searches that take too long are given up, also those that wait for their turn, and hold up nobody', async (t) => {
  const { alice, ctx, office, search } = await setUp(t)
  const client = await ctx.pool.connect()
  try {
    await client.query('begin')
    await client.query('lock table search_words in access exclusive mode')
    let ended = 0
    const searches = Array.from({ length: ctx.config.pool_size }, () =>
      search('слово').finally(() => {
        ended += 1
      }),
    )
    const given = Promise.allSettled(searches)
    await alice.call(getChat, { params: { id: office.id } })
    assert.equal(ended, 0, 'who does not search does not wait for those who do')
    for (const outcome of await given) {
      assert.equal(outcome.status, 'rejected')
      assert.equal(outcome.reason.status, 504)
      assert.equal(outcome.reason.code, 'timeout')
    }
  } finally {
    await client.query('rollback')
    client.release()
  }
})
