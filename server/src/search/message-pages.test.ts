import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setUp } from './testing-search.js'

test('pages follow each other to an empty one, whose cursor repeats itself', async (t) => {
  const stage = await setUp(t)
  const { say, search } = stage
  for (let number = 1; number <= 5; number += 1) await say(`номер ${number}`)
  for (const sort of ['created_at', 'relevance'] as const) {
    const seen: string[] = []
    let cursor: string | undefined
    for (let page = 0; page < 3; page += 1) {
      const { data, meta } = await search({ query: 'номер', limit: 2, cursor, sort })
      assert.equal(meta.total, 5)
      seen.push(...data.map(({ content }) => content))
      cursor = meta.paginate.next_page
    }
    assert.deepEqual(seen, ['номер 5', 'номер 4', 'номер 3', 'номер 2', 'номер 1'])
    const end = await search({ query: 'номер', limit: 2, cursor })
    assert.deepEqual([end.data, end.meta.total, end.meta.paginate.next_page], [[], 5, cursor])
  }
  const nothing = await search('ничего')
  assert.deepEqual([nothing.data, nothing.meta.total], [[], 0])
  assert.equal((await search({ query: 'ничего', cursor: nothing.meta.paginate.next_page })).data.length, 0)
})

test('the flags of a page are true both ways, and the way back shows the same pages', async (t) => {
  const { say, search } = await setUp(t)
  for (let number = 1; number <= 5; number += 1) await say(`номер ${number}`)
  for (const sort of ['created_at', 'relevance'] as const) {
    const page = async (cursor?: string) => {
      const { data, meta } = await search({ query: 'номер', limit: 2, cursor, sort })
      const texts = data.map(({ content }) => content.slice(-1)).join('')
      return { texts, ...meta.paginate, exact: meta.total_is_exact }
    }
    const first = await page()
    const second = await page(first.next_page)
    const third = await page(second.next_page)
    const back = await page(third.prev_page)
    const top = await page(back.prev_page)
    const above = await page(top.prev_page)
    assert.deepEqual(
      [first, second, third, back, top, above].map(({ texts, has_next, has_prev }) => [
        texts,
        has_next,
        has_prev,
      ]),
      [
        ['54', true, false],
        ['32', true, true],
        ['1', false, true],
        ['32', true, true],
        ['54', true, false],
        ['', true, false],
      ],
    )
    assert.ok(first.exact)
  }
})

test('a search counts up to a thousand and says where there are more', async (t) => {
  const { ctx, search, say, office, alice } = await setUp(t)
  await say('частое слово')
  const more = (count: number) =>
    ctx.pool.query(
      `insert into messages (chat_id, root_chat_id, user_id, content, created_at, changed_at)
       select $1, $1, $2, 'частое слово', now(), now() from generate_series(1, $3::int)`,
      [office.id, alice.id, count],
    )
  await more(999)
  const total = async () => (await search({ query: 'частое', limit: 1 })).meta
  const exact = await total()
  assert.deepEqual([exact.total, exact.total_is_exact], [1000, true])
  await more(1)
  const cut = await total()
  assert.deepEqual([cut.total, cut.total_is_exact, cut.paginate.has_next], [1000, false, true])
})

test('pages are the same whether all matches are counted or not', async (t) => {
  const { ctx, search, office, alice } = await setUp(t)
  const more = (count: number) =>
    ctx.pool.query(
      `insert into messages (chat_id, root_chat_id, user_id, content, created_at, changed_at)
       select $1, $1, $2, 'частое слово', '2026-01-01T10:00:00.123456Z'::timestamptz + n / 3 * interval '1 microsecond', now()
       from generate_series(1, $3::int) n`,
      [office.id, alice.id, count],
    )
  for (const count of [450, 600]) {
    await more(count)
    for (const order of ['desc', 'asc'] as const) {
      const page = (cursor?: string) => search({ query: 'частое', limit: 200, order, cursor })
      const pages = [await page()]
      while (pages.at(-1)?.meta.paginate.has_next)
        pages.push(await page(pages.at(-1)?.meta.paginate.next_page))
      const ids = pages.map(({ data }) => data.map(({ id }) => id))
      const sorted = await ctx.db
        .selectFrom('messages')
        .select('id')
        .where('content', '=', 'частое слово')
        .orderBy('created_at', order)
        .orderBy('id', order)
        .execute()
      assert.deepEqual(
        ids.flat(),
        sorted.map(({ id }) => id),
      )
      const before = await page(pages[2]?.meta.paginate.prev_page)
      assert.deepEqual(
        before.data.map(({ id }) => id),
        ids[1],
      )
      assert.deepEqual([before.meta.paginate.has_next, before.meta.paginate.has_prev], [true, true])
    }
  }
})
