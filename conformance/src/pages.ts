import assert from 'node:assert/strict'
import type { Operation } from '@parley/contract'
import type { Answer } from './answer.js'
import type { Caller } from './client.js'

interface PageBody {
  data: unknown[]
  meta: { paginate: { next_page: string; prev_page: string; has_next: boolean; has_prev: boolean } }
}

export interface Walk {
  operation: Operation
  params?: Record<string, unknown>
  query?: Record<string, unknown>
  /** What the list holds, in its order; with `among`, what it holds beside other things. */
  expected: readonly unknown[]
  idOf?: (item: never) => unknown
  /** Others may be in the list: only the expected ones are looked at. */
  among?: true
}

const LIMIT = 2
const MOST_PAGES = 40
const byId = (item: { id: unknown }) => item.id

async function pageOf(caller: Caller, walk: Walk, query: Record<string, unknown>): Promise<PageBody> {
  const { operation, params } = walk
  const answer: Answer = await caller.send(operation, { params, query: { ...walk.query, ...query } })
  assert.equal(answer.status, 200, `${operation.id} answered ${answer.status} to ${JSON.stringify(query)}`)
  return answer.body as PageBody
}

function checkFlags(operation: Operation, pages: readonly PageBody[], isWhole: boolean) {
  pages.forEach(({ data, meta: { paginate } }, index) => {
    assert.ok(data.length <= LIMIT, `${operation.id}: ${data.length} items with limit ${LIMIT}`)
    assert.equal(paginate.has_prev, index > 0, `${operation.id}: has_prev of page ${index + 1}`)
    const isLast = isWhole && index === pages.length - 1
    assert.equal(paginate.has_next, !isLast, `${operation.id}: has_next of page ${index + 1}`)
  })
}

async function walkForward(caller: Caller, walk: Walk, ids: (page: PageBody) => unknown[]) {
  const pages = [await pageOf(caller, walk, { limit: LIMIT })]
  const left = new Set(walk.expected)
  for (let page = pages[0]; page && pages.length < MOST_PAGES; page = pages.at(-1)) {
    for (const id of ids(page)) left.delete(id)
    if (!page.meta.paginate.has_next || (walk.among && left.size === 0)) break
    pages.push(await pageOf(caller, walk, { limit: LIMIT, cursor: page.meta.paginate.next_page }))
  }
  return pages
}

/** Walks a list by its cursors: nothing is missing, nothing comes twice, the order and the flags are right. */
export async function walkPages(caller: Caller, walk: Walk) {
  const { operation, expected, among } = walk
  const idOf = (walk.idOf ?? byId) as (item: unknown) => unknown
  const ids = (page: PageBody) => page.data.map(idOf)
  const pages = await walkForward(caller, walk, ids)
  const seen = pages.flatMap(ids)
  assert.equal(new Set(seen).size, seen.length, `${operation.id}: an item comes on two pages: ${seen}`)
  const found = among ? seen.filter((id) => expected.includes(id)) : seen
  assert.deepEqual(found, [...expected], `${operation.id}: by pages came ${found}, not ${expected}`)
  const last = pages.at(-1) as PageBody
  const isWhole = !last.meta.paginate.has_next
  checkFlags(operation, pages, isWhole)
  await walkBack(caller, walk, pages, ids)
  if (isWhole) await walkBeyond(caller, walk, last)
  await clamps(caller, walk)
}

async function walkBack(
  caller: Caller,
  walk: Walk,
  pages: readonly PageBody[],
  ids: (page: PageBody) => unknown[],
) {
  const [first, second] = pages
  if (!first || !second) return
  const back = await pageOf(caller, walk, { limit: LIMIT, cursor: second.meta.paginate.prev_page })
  assert.deepEqual(ids(back), ids(first), `${walk.operation.id}: prev_page does not lead back`)
}

async function walkBeyond(caller: Caller, walk: Walk, last: PageBody) {
  const beyond = await pageOf(caller, walk, { limit: LIMIT, cursor: last.meta.paginate.next_page })
  const { has_next } = beyond.meta.paginate
  assert.deepEqual(
    [beyond.data.length, has_next],
    [0, false],
    `${walk.operation.id}: something comes after the end`,
  )
}

/** A page size above the maximum is cut, not refused; a foreign cursor is refused. */
async function clamps(caller: Caller, walk: Walk) {
  const { operation, params, query } = walk
  const { limit } = (operation.query?.properties ?? {}) as Record<string, { maximum?: number }>
  const maximum = limit?.maximum ?? 50
  const { data } = await pageOf(caller, walk, { limit: maximum + 1 })
  assert.ok(data.length <= maximum, `${operation.id}: ${data.length} items, over the maximum`)
  await caller.refused(
    operation,
    { params, query: { ...query, cursor: 'no-such-cursor' } },
    { status: 400, code: 'invalid', key: 'cursor' },
  )
}
