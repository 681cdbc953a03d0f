import { type RawBuilder, sql } from 'kysely'
import { type Db, read } from '../platform/db/index.js'
import { timeSql } from '../platform/db/json-sql.js'
import { opaqueId } from '../platform/db/opaque-sql.js'
import { keyset, type Paging } from '../platform/http/page.js'
import { BY_ACTIVITY, FEW_CHATS, minuteOf, WINDOW } from './activity-sql.js'
import { chatJsonSql, THREAD_SQL } from './chat-json-sql.js'
import type { ChatRow } from './queries.js'
import { openChatSql } from './read-sql.js'

export interface ChatFilter {
  /** Whose chats; null for every open chat of the workspace. */
  member_id: number | null
  public_only: boolean
  archived: boolean
  personal?: boolean
  after?: Date
  before?: Date
}

/** Who sees the list, and where video rooms are. */
export interface ListViewer {
  user_id: number
  meet: string
}

export interface ChatPlace {
  id: number
  last_message_at: string
}

/** A chat as JSON, and its place in the list. */
export interface ChatText extends ChatPlace {
  json: string
}

/**
 * How the list stays as fast in many chats as in few, without a row a member that a message would have to touch:
 * by id it is read in the order of memberships. By last message, who is in few chats has them sorted; who is in
 * many is looked up in the chats written to last, newest first, which ends after a page when those are theirs.
 * Memberships are gathered first while that costs less than asking for each chat.
 */
const GATHERED_CHATS = 5_000

type Place = 'group' | 'personal' | 'archive'

function placesOf({ personal, archived }: ChatFilter): Place[] {
  const places: Place[] = []
  if (personal !== true) places.push('group')
  if (personal !== false) places.push('personal')
  if (personal !== true && archived) places.push('archive')
  return places
}

function activityOf({ after, before }: ChatFilter): RawBuilder<boolean> {
  const later = after
    ? sql<boolean>`c.active_minute >= ${minuteOf(sql`${after}`)} and c.last_message_at > ${after}`
    : sql<boolean>`true`
  const earlier = before
    ? sql<boolean>`c.active_minute <= ${minuteOf(sql`${before}`)} and c.last_message_at < ${before}`
    : sql<boolean>`true`
  return sql<boolean>`${later} and ${earlier}`
}

const BY_ID = { id: sql`c.id` }

function pageBy(paging: Paging) {
  return keyset(paging, paging.position.sort === 'last_message_at' ? BY_ACTIVITY : BY_ID)
}

/** How many rows are read: with those that the page-number form skips. */
function rowsOf(paging: Paging): RawBuilder<unknown> {
  const { offset, limit } = paging
  return offset === 0 ? pageBy(paging).limit : sql`${offset + limit + 1}`
}

/** What is read of the chats of a page, in its order. */
type Shown<T> = (query: RawBuilder<ChatRow>, paging: Paging) => RawBuilder<T>

const run = <T>(db: Db, shown: Shown<T>, query: RawBuilder<ChatRow>, paging: Paging): Promise<T[]> =>
  read(db, shown(query, paging))

const LAST_MESSAGE_AT = sql.raw(timeSql('c.last_message_at'))

/** Each chat as JSON. */
const asText =
  (viewer: ListViewer): Shown<ChatText> =>
  (query, paging) => {
    const { orderBy, limit } = pageBy(paging)
    return sql`
    select c.id, ${LAST_MESSAGE_AT} as last_message_at, ${sql.raw(chatJsonSql('v.user_id', 'v.meet'))} as json
    from (select * from (${query}) c order by ${orderBy} limit ${limit}) c
    cross join (select ${viewer.user_id}::bigint as user_id, ${viewer.meet}::text as meet) v
    ${sql.raw(THREAD_SQL)} order by ${orderBy}`
  }

/** Where each chat stands in the list. */
const asPlace: Shown<ChatPlace> = (query, paging) => {
  const { orderBy, limit } = pageBy(paging)
  return sql`
    select c.id, ${LAST_MESSAGE_AT} as last_message_at from (${query}) c order by ${orderBy} limit ${limit}`
}

const openGroup = openChatSql('c')
/** People who may appear; matches the partial index for listing by activity. */
function listable({ member_id }: ChatFilter): RawBuilder<unknown> {
  return member_id === null ? openGroup : sql`c.kind <> 'thread'`
}

function liveOnly({ archived }: ChatFilter): RawBuilder<unknown> {
  return archived ? sql`true` : sql`c.archived_at is null`
}

/**
 * What is left to ask of a chat found by its activity. The membership is a value and no join: a plan made for those in
 * few chats would join from their side, and read 200 000 memberships of those in many.
 */
function wanted(filter: ChatFilter, gathered = false): RawBuilder<unknown> {
  if (filter.member_id === null) return liveOnly(filter)
  const theirs = sql`m.user_id = ${filter.member_id} and m.place = any(${placesOf(filter)}) and not m.hidden`
  const member = gathered
    ? sql`(c.id in (select m.chat_id from chat_members m where ${theirs})) is true`
    : sql`(select true from chat_members m where m.chat_id = c.id and ${theirs})`
  return sql`${member} and ${filter.public_only ? openGroup : sql`true`} and ${liveOnly(filter)}`
}

/** Several ordered reads, each cut to the page, put together into one. */
function merged(parts: RawBuilder<unknown>[], paging: Paging): RawBuilder<ChatRow> {
  const page = pageBy(paging)
  return sql<ChatRow>`select c.* from (${sql.join(parts, sql` union all `)}) c
    order by ${page.orderBy} limit ${rowsOf(paging)} offset ${page.offset}`
}

/** One look-up for each membership: joined, a plan for all values reads every chat of a small workspace. */
const CHAT_OF_MEMBERSHIP = sql`select c.* from chats c where c.id = m.chat_id offset 0`

/** By id the order is that of the memberships themselves, so that the index gives the page without a sort. */
function fromMemberships(filter: ChatFilter, paging: Paging): RawBuilder<ChatRow> {
  const byId = paging.position.sort === 'id'
  const page = keyset(paging, byId ? { id: sql`m.chat_id` } : BY_ACTIVITY)
  const parts = placesOf(filter).map(
    (place) => sql`(select c.* from chat_members m cross join lateral (${CHAT_OF_MEMBERSHIP}) c
      where m.user_id = ${opaqueId(filter.member_id)} and m.place = ${sql.lit(place)} and not m.hidden
        and ${filter.public_only ? openGroup : sql`true`} and ${liveOnly(filter)} and ${activityOf(filter)} and ${page.where}
      order by ${page.orderBy} limit ${rowsOf(paging)})`,
  )
  return merged(parts, paging)
}

function fromOpenChatsById(filter: ChatFilter, paging: Paging): RawBuilder<ChatRow> {
  const page = pageBy(paging)
  const parts = (filter.archived ? [1, 0] : [1]).map(
    (live) => sql`(select c.* from chats c
      where (c.archived_at is null)::int = ${live} and ${openGroup} and ${activityOf(filter)} and ${page.where}
      order by ${page.orderBy} limit ${rowsOf(paging)})`,
  )
  return merged(parts, paging)
}

/** The chats of the workspace that were written to last, so many and no more, and those of them that are wanted. */
function fromWindow(filter: ChatFilter, paging: Paging, gathered: boolean): RawBuilder<ChatRow> {
  const page = pageBy(paging)
  return sql<ChatRow>`
    select c.* from (select * from chats c where ${listable(filter)} and ${activityOf(filter)} and ${page.where}
      order by ${page.orderBy} limit ${sql.lit(WINDOW)}) c
    where ${wanted(filter, gathered)} order by ${page.orderBy} limit ${rowsOf(paging)} offset ${page.offset}`
}

function fromOpenChatsByActivity(filter: ChatFilter, paging: Paging): RawBuilder<ChatRow> {
  const page = pageBy(paging)
  return sql<ChatRow>`
    select c.* from chats c where ${openGroup} and ${liveOnly(filter)} and ${activityOf(filter)} and ${page.where}
    order by ${page.orderBy} limit ${rowsOf(paging)} offset ${page.offset}`
}

/** Whether the window held everything that could come. */
async function windowIsWhole(db: Db, filter: ChatFilter, where: RawBuilder<boolean>): Promise<boolean> {
  const rows = await read(
    db,
    sql<{ count: number }>`
    select count(*) as count from (select from chats c
      where ${listable(filter)} and ${activityOf(filter)} and ${where} limit ${sql.lit(WINDOW)}) c`,
  )
  return (rows[0]?.count ?? 0) < WINDOW
}

/** In how many chats somebody is, as far as it matters. */
async function countChats(db: Db, filter: ChatFilter): Promise<number> {
  const rows = await read(
    db,
    sql<{ count: number }>`
    select count(*) as count from (select from chat_members
      where user_id = ${filter.member_id} and place = any(${placesOf(filter)})
      limit ${sql.lit(GATHERED_CHATS + 1)}) m`,
  )
  return rows[0]?.count ?? 0
}

async function listByActivity<T>(db: Db, shown: Shown<T>, filter: ChatFilter, paging: Paging): Promise<T[]> {
  if (filter.member_id === null) return run(db, shown, fromOpenChatsByActivity(filter, paging), paging)
  const chats = await countChats(db, filter)
  if (chats > FEW_CHATS) {
    const rows = await run(db, shown, fromWindow(filter, paging, chats <= GATHERED_CHATS), paging)
    if (rows.length > paging.limit || (await windowIsWhole(db, filter, pageBy(paging).where))) return rows
  }
  return run(db, shown, fromMemberships(filter, paging), paging)
}

async function listById<T>(db: Db, shown: Shown<T>, filter: ChatFilter, paging: Paging): Promise<T[]> {
  const bounded = filter.after !== undefined || filter.before !== undefined
  // A narrow span of time is quicker read as a whole than found among all chats by id.
  if (bounded && (await windowIsWhole(db, filter, sql<boolean>`true`))) {
    const page = pageBy(paging)
    return run(
      db,
      shown,
      sql<ChatRow>`
        with span as materialized (select c.* from chats c where ${listable(filter)} and ${activityOf(filter)})
        select c.* from span c where ${wanted(filter)} and ${page.where}
        order by ${page.orderBy} limit ${rowsOf(paging)} offset ${page.offset}`,
      paging,
    )
  }
  const query = filter.member_id === null ? fromOpenChatsById : fromMemberships
  return run(db, shown, query(filter, paging), paging)
}

/** A page of chats, and one more where there are more. */
export async function listChatTexts(
  db: Db,
  viewer: ListViewer,
  filter: ChatFilter,
  paging: Paging,
): Promise<ChatText[]> {
  if (filter.member_id === null && filter.personal === true) return []
  return paging.position.sort === 'last_message_at'
    ? listByActivity(db, asText(viewer), filter, paging)
    : listById(db, asText(viewer), filter, paging)
}

/** Active chats of a person by their last message: a page, and one more where there are more. */
export function listChatPlaces(db: Db, member_id: number, paging: Paging): Promise<ChatPlace[]> {
  return listByActivity(db, asPlace, { member_id, public_only: false, archived: false }, paging)
}

/** Conversations and channels of the whole workspace, newest first. */
export function listGroupTexts(
  db: Db,
  viewer: ListViewer,
  { activity, query = '' }: { activity?: 'active' | 'archived'; query?: string },
  paging: Paging,
) {
  const page = pageBy(paging)
  const named =
    query.trim() === ''
      ? sql`true`
      : sql`c.id in (select chat_id from chat_search where words @@ search_prefixes(string_to_array(${query}, ' ')))`
  const states = activity === undefined ? [1, 0] : [activity === 'active' ? 1 : 0]
  const parts = states.flatMap((live) =>
    [sql`c.public`, sql`not c.public`].map(
      (open) => sql`(select c.* from chats c
        where (c.archived_at is null)::int = ${live} and ${open} and c.kind in ('conversation', 'channel') and ${named}
          and ${page.where}
        order by ${page.orderBy} limit ${rowsOf(paging)})`,
    ),
  )
  return run(db, asText(viewer), merged(parts, paging), paging)
}
