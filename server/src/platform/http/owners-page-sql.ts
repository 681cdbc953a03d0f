import { type RawBuilder, sql } from 'kysely'
import type { Owner } from '../db/only-sql.js'
import { directionOf, keyset, type Paging } from './page.js'

export interface OwnedRows {
  /** Selects whose rows they are, as `id`. */
  owners: RawBuilder<unknown>
  /** The column of the owner, with which an index begins. */
  owner: string
  /** Whether the owner of a row is one of them, by one look into an index. */
  owned: RawBuilder<unknown>
  table: RawBuilder<unknown>
  /** The sort column, where it is not the id. Another index has `time, id`, or the id, of all rows. */
  time?: RawBuilder<unknown>
  id: RawBuilder<unknown>
  /** Conditions that both indexes answer. */
  within?: RawBuilder<unknown>
  where?: RawBuilder<unknown>
  /** Joins that leave rows out, each looked up in turn. */
  joins?: RawBuilder<unknown>
  /** How many are read, where it is not the page and one more. */
  rows?: RawBuilder<unknown>
}

/** More owners than this are not looked through before the newest rows of all owners are, so many of them and no more. */
const FEW_OWNERS = 500
const WINDOW = 4000

/**
 * Selects `id`, and `time` where there is one, of a page of the rows of many owners, such as the chats that somebody is in.
 *
 * Of few owners each gives its first row, and those whose first row is among the first of all give more: the others have none in
 * the page. Of many owners the rows of everybody are read in order until the page is full; where it is not full after a window of
 * them, and more follow, the owners are looked through as well.
 */
export function ownersPageSql(paging: Paging, listed: OwnedRows): RawBuilder<unknown> {
  const {
    owners,
    owner,
    owned,
    table,
    time,
    id,
    joins = sql``,
    within = sql`true`,
    where = sql`true`,
  } = listed
  const sort = time ? { value: time, cast: 'timestamptz' as const } : {}
  const everybody = keyset(paging, { id, ...sort })
  const all = keyset(paging, { id: sql`id`, ...(time ? { value: sql`time` } : {}) })
  const rows = listed.rows ?? all.limit
  const found = time ? sql`${id} as id, ${time} as time` : sql`${id} as id`
  const of = (one: Owner, beyond: RawBuilder<unknown>, limit: RawBuilder<unknown>) => {
    const page = keyset(paging, { of: one, id, ...sort })
    return sql`select ${found} from ${table} ${joins} where ${within} and ${where} and ${page.where} and ${beyond}
      order by ${page.orderBy} limit ${limit}`
  }
  const last = time
    ? sql`(${time}, ${id}) ${sign(paging)} (select time, id from last)`
    : sql`${id} ${sign(paging)} (select id from last)`
  const window = sql`select * from ${table} where ${within} and ${everybody.where}
    order by ${everybody.orderBy} limit ${sql.lit(WINDOW)}`
  return sql`
    with counted as materialized (
      select count(*) > ${sql.lit(FEW_OWNERS)} as many from (${owners} limit ${sql.lit(FEW_OWNERS + 1)}) o
    ), walked as materialized (
      select ${found} from (${window}) ${sql.raw(aliasOf(owner))} ${joins}
      where (select many from counted) and ${owned} and ${where}
      order by ${everybody.orderBy} limit ${rows}
    ), owners as materialized (
      select * from (${owners}) o where (select count(*) from walked) < ${rows}
        and ((select not many from counted) or (select count(*) from (${window}) w) = ${sql.lit(WINDOW)})
    ), first as materialized (
      select owners.id as owner_id, f.* from owners cross join lateral (${of([owner, sql`owners.id`], sql`true`, sql.lit(1))}) f
      order by ${all.orderBy} limit ${rows}
    ), last as materialized (select * from first order by ${all.orderBy} offset ${rows} - 1)
    select * from (
      select * from walked where not exists (select from owners)
      union all
      select f.* from first cross join lateral (
        ${of([owner, sql`first.owner_id`], sql`(not exists (select from last) or ${last})`, rows)}) f) f
    order by ${all.orderBy} limit ${rows}`
}

const aliasOf = (column: string) => column.slice(0, column.indexOf('.'))
const sign = (paging: Paging) => (directionOf(paging) === 'asc' ? sql`<=` : sql`>=`)
