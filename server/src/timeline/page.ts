import { sql } from 'kysely'
import type { ChatFor } from '../chats/queries.js'
import { type Db, read } from '../platform/db/index.js'

/** Where a page of a timeline lies. */
export type Place =
  | { kind: 'newest' }
  | { kind: 'before' | 'after' | 'around'; message_id: number }
  | { kind: 'at'; time: Date }
  | { kind: 'first_unread' }

export interface TimelinePage {
  /** Oldest first. */
  ids: number[]
  has_older: boolean
  has_newer: boolean
  anchor_id: number | null
}

const BEYOND = Number.MAX_SAFE_INTEGER

/** Ids on one side of a message, nearest first. Living messages and stubs have an index each, read by turns. */
async function listSide(
  db: Db,
  chatId: number,
  side: '<' | '>' | '>=',
  id: number,
  count: number,
): Promise<number[]> {
  const way = sql.raw(side === '<' ? 'desc' : 'asc')
  const part = (state: string) => sql`(select id from messages where chat_id = ${chatId}
    and deleted_at is ${sql.raw(state)} and id ${sql.raw(side)} ${id} order by id ${way} limit ${count})`
  const rows = await read(
    db,
    sql<{ id: number }>`
    select id from (${part('null')} union all ${part('not null')}) near order by id ${way} limit ${count}`,
  )
  return rows.map((row) => row.id)
}

/** The first message that is not earlier than a time: ids of a chat follow time, so the place is found by halving. */
async function findAt(db: Db, chatId: number, time: Date): Promise<number | undefined> {
  const rows = await read(
    db,
    sql<{ id: number | null }>`
    with recursive ends as (
      select (select id from messages where chat_id = ${chatId} and deleted_at is null order by id limit 1) as first,
        (select id from messages where chat_id = ${chatId} and deleted_at is null order by id desc limit 1) as last
    ), halved (low, high, best) as (
      select first, last + 1, null::bigint from ends where first is not null
      union all
      select case when m.created_at < ${time} then m.id + 1 else low end,
        case when m.created_at < ${time} then high else (low + high) / 2 end,
        case when m.created_at >= ${time} then m.id else best end
      from halved left join lateral (
        select id, created_at from messages where chat_id = ${chatId} and deleted_at is null
          and id >= (low + high) / 2 and id < high order by id limit 1) m on true
      where low < high)
    select min(best) as id from halved`,
  )
  return rows[0]?.id ?? undefined
}

async function findFirstUnread(db: Db, chat: ChatFor): Promise<number | undefined> {
  if (chat.my_read_message_id === null) return undefined
  const rows = await read(
    db,
    sql<{ id: number }>`
    select id from messages where chat_id = ${chat.id} and deleted_at is null and not system
      and id > ${chat.my_read_message_id} order by id limit 1`,
  )
  return rows[0]?.id
}

async function pageBefore(db: Db, chatId: number, id: number, limit: number): Promise<TimelinePage> {
  const older = await listSide(db, chatId, '<', id, limit + 1)
  const ids = older.slice(0, limit).reverse()
  return { ids, has_older: older.length > limit, has_newer: id !== BEYOND, anchor_id: null }
}

async function pageAfter(db: Db, chatId: number, id: number, limit: number): Promise<TimelinePage> {
  const newer = await listSide(db, chatId, '>', id, limit + 1)
  return { ids: newer.slice(0, limit), has_older: true, has_newer: newer.length > limit, anchor_id: null }
}

async function pageAround(db: Db, chatId: number, id: number, limit: number): Promise<TimelinePage> {
  const half = Math.ceil(limit / 2)
  const older = await listSide(db, chatId, '<', id, limit - half + 1)
  const newer = await listSide(db, chatId, '>=', id, half + 1)
  const shown = { older: older.slice(0, limit - half), newer: newer.slice(0, half) }
  return {
    ids: [...shown.older.reverse(), ...shown.newer],
    has_older: older.length > limit - half,
    has_newer: newer.length > half,
    anchor_id: newer[0] ?? older[0] ?? null,
  }
}

/** The ids of a page; each costs as much in a chat of a million messages as in one of ten. */
export async function findPage(db: Db, chat: ChatFor, place: Place, limit: number): Promise<TimelinePage> {
  if (place.kind === 'before') return pageBefore(db, chat.id, place.message_id, limit)
  if (place.kind === 'after') return pageAfter(db, chat.id, place.message_id, limit)
  if (place.kind === 'around') return pageAround(db, chat.id, place.message_id, limit)
  const anchor =
    place.kind === 'at'
      ? await findAt(db, chat.id, place.time)
      : place.kind === 'first_unread'
        ? await findFirstUnread(db, chat)
        : undefined
  return anchor === undefined
    ? pageBefore(db, chat.id, BEYOND, limit)
    : pageAround(db, chat.id, anchor, limit)
}
