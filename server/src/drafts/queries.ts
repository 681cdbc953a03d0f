import type { DraftTypeFilter, Role } from '@parley/contract'
import { type Insertable, type Selectable, sql, type Updateable } from 'kysely'
import { anyId } from '../platform/db/any-sql.js'
import { type DB, type Db, read, type Tx } from '../platform/db/index.js'
import { keyset, type Paging } from '../platform/http/page.js'
import type { Place } from './place.js'

/** A draft, its thread where it is in one, and the personal chat with its person where that is open. */
export type DraftRow = Selectable<DB['drafts']> & {
  thread_id: number | null
  personal_chat_id: number | null
}

const columns = sql`d.*, t.id as thread_id, c.id as personal_chat_id`
const tables = sql`drafts d left join threads t on t.chat_id = d.chat_id
  left join chats c on c.personal_key = least(d.user_id, d.to_user_id) || ':' || greatest(d.user_id, d.to_user_id)
    and d.to_user_id is not null`

function at({ chat_id, to_user_id }: Place) {
  return chat_id === null ? sql<boolean>`d.to_user_id = ${to_user_id}` : sql<boolean>`d.chat_id = ${chat_id}`
}

/** Seen by its author alone. */
export async function findDraft(db: Db, userId: number, id: number): Promise<DraftRow | undefined> {
  const rows = await read(
    db,
    sql<DraftRow>`
    select ${columns} from ${tables} where d.id = ${id} and d.user_id = ${userId}`,
  )
  return rows[0]
}

/** The same with the row held, against its sending and its other edits. */
export async function lockDraft(tx: Tx, userId: number, id: number): Promise<DraftRow | undefined> {
  const { rows } = await sql<DraftRow>`
    select ${columns} from ${tables} where d.id = ${id} and d.user_id = ${userId} for update of d`.execute(tx)
  return rows[0]
}

export interface DraftFilter {
  user_id: number
  type: DraftTypeFilter
  place?: Place
}

/** In the text, so that every plan knows how many there are of the kind. */
const KINDS = { all: sql`true`, regular: sql`d.interval is null`, scheduled: sql`d.interval is not null` }

export async function listDraftRows(db: Db, filter: DraftFilter, paging: Paging): Promise<DraftRow[]> {
  const { where, orderBy, limit } = keyset(paging, {
    of: ['d.user_id', sql`${filter.user_id}::bigint`],
    id: sql`d.id`,
  })
  const kind = KINDS[filter.type]
  const place = filter.place === undefined ? sql`true` : at(filter.place)
  const rows = await read(
    db,
    sql<DraftRow>`
    select ${columns} from ${tables}
    where ${kind} and ${place} and ${where}
    order by ${orderBy} limit ${limit}`,
  )
  return rows
}

export function listDraftsById(db: Db, ids: readonly number[]): Promise<DraftRow[]> {
  return read(db, sql<DraftRow>`select ${columns} from ${tables} where d.id = any(${ids})`)
}

/** Keeps two requests of one author from filling the same place together. */
export async function lockPlace(tx: Tx, userId: number, { chat_id, to_user_id }: Place) {
  const key = `drafts:${userId}:${chat_id ?? `user:${to_user_id}`}`
  await sql`select pg_advisory_xact_lock(hashtextextended(${key}, 0))`.execute(tx)
}

export async function findPlainDraft(db: Db, userId: number, place: Place): Promise<number | undefined> {
  const row = await db
    .selectFrom('drafts as d')
    .select('d.id')
    .where('d.user_id', '=', userId)
    .where(at(place))
    .where('d.interval', 'is', null)
    .executeTakeFirst()
  return row?.id
}

export async function countScheduled(db: Db, userId: number, place: Place): Promise<number> {
  const { count } = await db
    .selectFrom('drafts as d')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('d.user_id', '=', userId)
    .where(at(place))
    .where('d.interval', 'is not', null)
    .executeTakeFirstOrThrow()
  return count
}

export async function insertDraft(tx: Tx, draft: Insertable<DB['drafts']>): Promise<number> {
  const { id } = await tx.insertInto('drafts').values(draft).returning('id').executeTakeFirstOrThrow()
  return id
}

export async function updateDraftRow(tx: Tx, id: number, change: Updateable<DB['drafts']>) {
  await tx.updateTable('drafts').set(change).where('id', '=', id).execute()
}

export async function deleteDraftRows(tx: Tx, ids: readonly number[]) {
  if (ids.length > 0) await tx.deleteFrom('drafts').where('id', '=', anyId(ids)).execute()
}

export function findParent(db: Db, id: number) {
  return db.selectFrom('messages').select(['chat_id', 'deleted_at']).where('id', '=', id).executeTakeFirst()
}

/** The first is one look into an index; whether any is earlier than now may read all of them. */
export async function isDraftDue(db: Db, now: Date): Promise<boolean> {
  const [found] = await read(
    db,
    sql<{ due: boolean | null }>`select min(due_at) <= ${now} as due from drafts where due_at is not null`,
  )
  return found?.due === true
}

/**
 * Claims the drafts that have been due longest, or the one named, except those that another process has. They come in
 * the order of their chats, so that two batches never wait for each other's chats.
 */
export async function lockDueDrafts(tx: Tx, now: Date, count: number, id?: number): Promise<DraftRow[]> {
  const wanted = id === undefined ? sql`true` : sql`d.id = ${id}`
  const { rows } = await sql<DraftRow>`
    select ${columns} from ${tables} where d.due_at <= ${now} and ${wanted}
    order by d.due_at, d.id limit ${count} for update of d skip locked`.execute(tx)
  const order = (row: DraftRow) => row.chat_id ?? row.personal_chat_id ?? 0
  return rows.sort((a, b) => order(a) - order(b) || a.id - b.id)
}

/** Those of the drafts that have files. */
export async function listWithFiles(db: Db, drafts: readonly DraftRow[]): Promise<Set<unknown>> {
  if (drafts.length === 0) return new Set()
  const rows = await db
    .selectFrom('files')
    .select('draft_id')
    .distinct()
    .where('draft_id', '=', anyId(drafts.map(({ id }) => id)))
    .execute()
  return new Set(rows.map(({ draft_id }) => draft_id))
}

export interface Author {
  role: Role
  plan: 'corporation' | 'standard'
  suspended: boolean
  deleted: boolean
  workspace_suspended: boolean
}

/** The authors of these drafts, by id, and what the workspace is. */
export async function listAuthors(db: Db, drafts: readonly DraftRow[]): Promise<Map<number, Author>> {
  if (drafts.length === 0) return new Map()
  const ids = [...new Set(drafts.map(({ user_id }) => user_id))]
  const rows = await read(
    db,
    sql<Author & { id: number }>`
    select u.id, u.role, w.plan, u.suspended or u.role = 'guest' as suspended,
      u.deleted_at is not null as deleted, w.suspended as workspace_suspended
    from users u cross join workspace w where u.id = any(${ids})`,
  )
  return new Map(rows.map((author) => [author.id, author]))
}

/** Drafts of people who are no more, a few at a time. */
export async function lockOrphans(tx: Tx, count: number): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select d.id from drafts d join users u on u.id = d.user_id
    where u.deleted_at is not null order by d.id limit ${count} for update of d skip locked`.execute(tx)
  return rows.map(({ id }) => id)
}

/** Whether nobody can write to this person any more. */
export async function isGone(db: Db, userId: number): Promise<boolean> {
  const person = await db
    .selectFrom('users')
    .select('id')
    .where('id', '=', userId)
    .where('suspended', '=', false)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  return person === undefined
}
