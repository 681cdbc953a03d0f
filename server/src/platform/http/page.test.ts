import assert from 'node:assert/strict'
import { test } from 'node:test'
import { listChats, listMessages } from '@parley/contract'
import { sql } from 'kysely'
import { type World, world } from '../../testing/world.js'
import { keyset, loadPage, type PageQuery, type Paging, readPaging } from './page.js'

const secret = Buffer.from('a secret of this test')

interface Row {
  id: number
  rank: number
}

/** A list over a table of its own, sorted by rank and id from the top. */
async function shelf(t: Parameters<typeof world>[0]) {
  const { ctx }: World = await world(t)
  await sql`create table shelf (id bigint primary key, rank bigint not null)`.execute(ctx.db)
  t.after(() => sql`drop table shelf`.execute(ctx.db))
  let last = 0
  return {
    async put(...ranks: number[]) {
      for (const rank of ranks) {
        last += 1
        await sql`insert into shelf values (${last}, ${rank})`.execute(ctx.db)
      }
    },
    take: (rank: number) => sql`delete from shelf where rank = ${rank}`.execute(ctx.db),
    async page(query: PageQuery, list = 'shelf') {
      const paging = readPaging(query, { list, secret, limit: 50, sort: 'rank', order: 'desc', per: 3 })
      const columns = { id: sql`id`, value: sql`rank`, cast: 'bigint' as const }
      const read = async (part: Paging) => {
        const { where, orderBy, limit, offset } = keyset(part, columns)
        const { rows } = await sql<Row>`
          select id, rank from shelf where ${where} order by ${orderBy} limit ${limit} offset ${offset}`.execute(
          ctx.db,
        )
        return rows
      }
      const { data, meta } = await loadPage(paging, read, (row) => ({ value: row.rank, id: row.id }))
      return { ranks: data.map((row) => row.rank), ...meta.paginate }
    },
  }
}

test('a list runs forward to its end and says so', async (t) => {
  const { put, page } = await shelf(t)
  await put(1, 2, 3, 4, 5)
  const first = await page({ limit: 2 })
  assert.deepEqual([first.ranks, first.has_next, first.has_prev], [[5, 4], true, false])
  const second = await page({ limit: 2, cursor: first.next_page })
  assert.deepEqual([second.ranks, second.has_next, second.has_prev], [[3, 2], true, true])
  const third = await page({ limit: 2, cursor: second.next_page })
  assert.deepEqual([third.ranks, third.has_next, third.has_prev], [[1], false, true])
  const beyond = await page({ limit: 2, cursor: third.next_page })
  assert.deepEqual([beyond.ranks, beyond.has_next, beyond.has_prev], [[], false, true])
  assert.equal(beyond.next_page, third.next_page)
  const back = await page({ limit: 2, cursor: beyond.prev_page })
  assert.deepEqual(back.ranks, [2, 1], 'the way back starts with the row the end stood at')
})

test('everything on one page has neither a next nor a previous one', async (t) => {
  const { put, page } = await shelf(t)
  await put(1, 2)
  const { ranks, has_next, has_prev } = await page({ limit: 2 })
  assert.deepEqual([ranks, has_next, has_prev], [[2, 1], false, false])
})

test('polling backwards brings what is new, nearest first', async (t) => {
  const { put, page } = await shelf(t)
  await put(1)
  const start = await page({ limit: 5 })
  const quiet = await page({ limit: 5, cursor: start.prev_page })
  assert.deepEqual([quiet.ranks, quiet.has_next, quiet.has_prev], [[], true, false])
  assert.equal(quiet.prev_page, start.prev_page)
  await put(11, 12, 13, 14, 15, 16, 17, 18)
  const first = await page({ limit: 5, cursor: quiet.prev_page })
  assert.deepEqual([first.ranks, first.has_next, first.has_prev], [[15, 14, 13, 12, 11], true, true])
  const second = await page({ limit: 5, cursor: first.prev_page })
  assert.deepEqual([second.ranks, second.has_next, second.has_prev], [[18, 17, 16], true, false])
})

test('the flags tell whether rows lie on either side, whichever cursor led there', async (t) => {
  const { put, page, take } = await shelf(t)
  await put(1, 2, 3, 4, 5)
  const first = await page({ limit: 2 })
  const second = await page({ limit: 2, cursor: first.next_page })
  const third = await page({ limit: 2, cursor: second.next_page })
  const back = await page({ limit: 2, cursor: third.prev_page })
  assert.deepEqual([back.ranks, back.has_next, back.has_prev], [[3, 2], true, true])
  const top = await page({ limit: 2, cursor: back.prev_page })
  assert.deepEqual([top.ranks, top.has_next, top.has_prev], [[5, 4], true, false])
  // What lay there is gone by now.
  await take(1)
  const again = await page({ limit: 2, cursor: third.prev_page })
  assert.deepEqual([again.ranks, again.has_next], [[3, 2], false])
  for (const rank of [5, 4, 3, 2]) await take(rank)
  const empty = await page({ limit: 2, cursor: second.next_page })
  assert.deepEqual([empty.ranks, empty.has_next, empty.has_prev], [[], false, false])
  const beyond = await page({ page: 9 })
  assert.deepEqual([beyond.has_next, beyond.has_prev], [false, false])
})

test('an empty list gives cursors that find what comes later', async (t) => {
  const { put, page } = await shelf(t)
  const empty = await page({ limit: 5 })
  assert.deepEqual([empty.ranks, empty.has_next, empty.has_prev], [[], false, false])
  await put(1, 2, 3)
  assert.deepEqual((await page({ limit: 2, cursor: empty.prev_page })).ranks, [2, 1])
  assert.deepEqual((await page({ limit: 2, cursor: empty.next_page })).ranks, [3, 2])
})

test('rows of one rank are never lost or doubled between pages', async (t) => {
  const { put, page } = await shelf(t)
  await put(7, 7, 7, 7, 7)
  const seen: number[] = []
  let cursor: string | undefined
  for (let more = true; more; ) {
    const next = await page({ limit: 2, cursor })
    seen.push(...next.ranks)
    cursor = next.next_page
    more = next.has_next
  }
  assert.equal(seen.length, 5)
})

test('page numbers still work where a list keeps them, and cursors go on from there', async (t) => {
  const { put, page } = await shelf(t)
  await put(1, 2, 3, 4, 5, 6, 7)
  const second = await page({ page: 2 })
  assert.deepEqual([second.ranks, second.has_next, second.has_prev], [[4, 3, 2], true, true])
  assert.deepEqual((await page({ limit: 3, cursor: second.next_page })).ranks, [1])
  assert.deepEqual((await page({ page: 9 })).ranks, [])
  assert.deepEqual((await page({ page: 2, limit: 2 })).ranks, [7, 6], 'a limit makes the number void')
})

test('a cursor that was changed, made up or taken from another list is refused', async (t) => {
  const { put, page } = await shelf(t)
  await put(1, 2, 3)
  const { next_page } = await page({ limit: 1 })
  const bytes = Buffer.from(next_page, 'base64url')
  const forged = [...bytes.keys()].map((at) => {
    const copy = Buffer.from(bytes)
    copy[at] = (copy[at] as number) ^ 1
    return copy.toString('base64url')
  })
  for (const cursor of [...forged, 'x', 'null', '{}', `${next_page}A`, `${next_page}=`, 'A'.repeat(5000)]) {
    await assert.rejects(page({ limit: 1, cursor }), { status: 400, code: 'invalid' }, cursor)
  }
  await assert.rejects(page({ limit: 1, cursor: next_page }, 'another'), { status: 400, code: 'invalid' })
})

test('pages of every size share a few statements, in whose text the planner reads how many rows come', async (t) => {
  const { ctx } = await world(t)
  const texts = Array.from({ length: 200 }, (_, n) => {
    const paging = readPaging({ limit: n + 1 }, { list: 'shelf', secret, limit: 50 })
    const { orderBy, limit, offset } = keyset(paging, { id: sql`id` })
    const query = sql`select from shelf order by ${orderBy} limit ${limit} offset ${offset}`.compile(ctx.db)
    assert.deepEqual(query.parameters, [])
    return query.sql
  })
  assert.equal(new Set(texts).size, 3)
  assert.equal(texts[49], 'select from shelf order by id desc limit 51 offset 0')
})

test('a page that no list reaches is empty', async (t) => {
  const { alice, office } = await world(t)
  for (const page of [2 ** 31, Number.MAX_SAFE_INTEGER]) {
    const messages = await alice.call(listMessages, { query: { chat_id: office.id, page } })
    assert.deepEqual(messages.data, [])
    assert.deepEqual((await alice.call(listChats, { query: { page } })).data, [])
  }
})
