import type { PaginationMeta } from '@parley/contract'
import { type RawBuilder, type SelectQueryBuilder, sql } from 'kysely'
import { type Owner, only } from '../db/only-sql.js'
import { openCursor, type Position, sealCursor } from './cursor.js'

export interface PageQuery {
  limit?: number
  cursor?: string
  page?: number
  per?: number
}

export interface PageSettings {
  /** The operation; a cursor of another list is refused. */
  list: string
  secret: Buffer
  limit: number
  sort?: string
  order?: 'asc' | 'desc'
  /** Rows of a page in the old page-number form, where the list keeps it. */
  per?: number
}

/** Where a page starts and how it runs. */
export interface Paging {
  settings: PageSettings
  position: Position
  /** True for a first page: there was no cursor. */
  first: boolean
  limit: number
  /** Rows to skip: the old page-number form alone. */
  offset: number
}

/** No list has more rows than this; PostgreSQL counts as far in the type of `limit`. */
const ROWS_AT_MOST = 2 ** 31 - 1

/** Reads `limit`, `cursor`, `page` and `per`. The sort is the cursor's, where there is one. */
export function readPaging(query: PageQuery, settings: PageSettings): Paging {
  const { list, secret, sort = 'id', order = 'desc' } = settings
  const numbered = settings.per !== undefined && query.limit === undefined && query.cursor === undefined
  if (numbered && (query.page !== undefined || query.per !== undefined)) {
    const limit = query.per ?? settings.per ?? settings.limit
    const position = { list, back: false, sort, order, at: null }
    const offset = Math.min(((query.page ?? 1) - 1) * limit, ROWS_AT_MOST)
    return { settings, position, first: true, limit, offset }
  }
  const limit = query.limit ?? settings.limit
  if (query.cursor === undefined || query.cursor === '') {
    return { settings, position: { list, back: false, sort, order, at: null }, first: true, limit, offset: 0 }
  }
  return { settings, position: openCursor(secret, list, query.cursor), first: false, limit, offset: 0 }
}

/** The way rows are read: backwards a page holds the rows nearest to its anchor. */
export function directionOf(paging: Paging): 'asc' | 'desc' {
  const { order, back } = paging.position
  if (!back) return order
  return order === 'asc' ? 'desc' : 'asc'
}

export interface KeysetColumns {
  /** Whose rows they are, where the index begins with that; no other condition is on the same column. */
  of?: Owner
  id: RawBuilder<unknown>
  /** The sort column, where it is not the id. */
  value?: RawBuilder<unknown>
  /** How the anchor's value is written in SQL; a timestamp needs its cast. */
  cast?: 'timestamptz' | 'text' | 'bigint'
  /** What the index is ordered by where it is not the value itself but something coarser that follows from it. */
  coarse?: { column: RawBuilder<unknown>; of(value: RawBuilder<unknown>): RawBuilder<unknown> }
}

/** Sizes of pages in the text of statements: whether there is any row, few, the usual page, the largest page. */
const SIZES = [0, 10, 50, 200]

/**
 * How many rows are read, one more than the page to show whether there is a next one. They stand in the text, in a few sizes:
 * with a parameter in their place, a plan for all values expects a tenth of the table, and sorts it instead of walking the
 * index. `loadPage` cuts the rest off.
 */
function rowsRead({ limit }: Paging): RawBuilder<number> {
  return sql.lit((SIZES.find((size) => size >= limit) ?? limit) + 1)
}

/** In the old page-number form alone; elsewhere a parameter would spoil the plan as well. */
function skipped({ offset }: Paging): RawBuilder<number> {
  return offset === 0 ? sql.lit(0) : sql<number>`${offset}`
}

/** `where`, `order by`, `limit` and `offset` of a keyset page as SQL pieces. More rows than the page may come. */
export function keyset(paging: Paging, columns: KeysetColumns) {
  const { at, inclusive } = paging.position
  const way = directionOf(paging)
  const sign = sql.raw((way === 'asc' ? '>' : '<') + (inclusive ? '=' : ''))
  const direction = sql.raw(way)
  const anchorValue = at && (columns.cast ? sql`${at.value}::${sql.raw(columns.cast)}` : sql`${at.value}`)
  const { of, id, value, coarse } = columns
  const within =
    coarse && anchorValue
      ? sql`${coarse.column} ${sql.raw(way === 'asc' ? '>=' : '<=')} ${coarse.of(anchorValue)} and`
      : sql``
  const beyond = !at
    ? sql<boolean>`true`
    : value
      ? sql<boolean>`${within} (${value}, ${id}) ${sign} (${anchorValue}, ${at.id})`
      : sql<boolean>`${id} ${sign} ${at.id}`
  const where = of ? sql<boolean>`${only(of)} and ${beyond}` : beyond
  const order = [of && sql.ref(of[0]), coarse?.column, value, id].flatMap((column) =>
    column ? [sql`${column} ${direction}`] : [],
  )
  const orderBy = sql.join(order)
  return { where, orderBy, limit: rowsRead(paging), offset: skipped(paging) }
}

/** The same on a query builder. */
export function pageOf<DB, TB extends keyof DB, O>(
  query: SelectQueryBuilder<DB, TB, O>,
  paging: Paging,
  columns: KeysetColumns,
): SelectQueryBuilder<DB, TB, O> {
  const { where, orderBy, limit } = keyset(paging, columns)
  const sorted = query
    .where(where as never)
    .orderBy(orderBy as never)
    .limit(limit)
  return paging.offset > 0 ? sorted.offset(paging.offset) : sorted
}

export interface Place {
  value?: string | number | Date | null
  id: string | number
}

function anchorAt({ value, id }: Place): NonNullable<Position['at']> {
  return { value: value instanceof Date ? value.toISOString() : (value ?? null), id }
}

/** What is known of a page: its first and last row in list order, and whether rows lie beyond it, either way. */
export interface PageEnds {
  top: Place | undefined
  bottom: Place | undefined
  /** Ahead of the page, the way it was read. */
  more: boolean
  /** Where the cursor came from. */
  behind: boolean
}

/** A cursor forward from a row that was not read as part of the page. */
export function cursorAfter({ position, settings }: Paging, place: Place): string {
  return sealCursor(settings.secret, { ...position, back: false, at: anchorAt(place), inclusive: false })
}

/** The four fields that come with every page. */
export function paginateOf(paging: Paging, ends: PageEnds): PaginationMeta['paginate'] {
  const { position, settings, first } = paging
  const { back, at } = position
  const { top, bottom, more, behind } = ends
  const cursor = (way: { back: boolean; at: Position['at']; inclusive?: boolean }) =>
    sealCursor(settings.secret, { ...position, inclusive: false, ...way })
  const flags = { has_next: back ? behind : more, has_prev: back ? more : behind }
  if (top && bottom) {
    const next_page = cursor({ back: false, at: anchorAt(bottom) })
    return { next_page, prev_page: cursor({ back: true, at: anchorAt(top) }), ...flags }
  }
  const stays = cursor(position)
  const turned = cursor({ back: !back, at, inclusive: at !== null })
  if (back) return { next_page: turned, prev_page: stays, ...flags }
  return { next_page: stays, prev_page: first ? cursor({ back: true, at: null }) : turned, ...flags }
}

/** A page of rows that are JSON text already. */
export function pageText(data: readonly { json: string }[], meta: PaginationMeta): string {
  return `{"data":[${data.map(({ json }) => json).join(',')}],"meta":${JSON.stringify(meta)}}`
}

/** Asks the list whether anything lies where the cursor came from; null where nothing can. */
function lookBehind(paging: Paging): Paging | null {
  const { position, first, offset } = paging
  if (offset > 0) return { ...paging, limit: 0, offset: 0 }
  if (first || position.at === null) return null
  const turned = { ...position, back: !position.back, inclusive: !position.inclusive }
  return { ...paging, limit: 0, position: turned }
}

/** Reads a page: its rows in list order, and the four fields. A page that a cursor led to asks the list twice. */
export async function loadPage<T>(
  paging: Paging,
  list: (paging: Paging) => Promise<T[]>,
  place: (row: T) => Place,
): Promise<{ data: T[]; meta: PaginationMeta }> {
  const rows = await list(paging)
  const look = lookBehind(paging)
  const behind = look !== null && (await list(look)).length > 0
  const data = rows.slice(0, paging.limit)
  if (paging.position.back) data.reverse()
  const [top, bottom] = [data[0], data.at(-1)].map((row) => (row === undefined ? undefined : place(row)))
  const paginate = paginateOf(paging, { top, bottom, more: rows.length > paging.limit, behind })
  return { data, meta: { paginate } }
}
