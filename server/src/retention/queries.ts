import type { RetentionDays } from '@parley/contract'
import { sql } from 'kysely'
import { type Db, read, type Tx } from '../platform/db/index.js'
import { LOCKS } from '../platform/db/locks.js'

export type Kind = keyof RetentionDays
export const KINDS: readonly Kind[] = ['conversation', 'channel', 'personal', 'thread']

export interface ChangeRow {
  user_id: number
  days: RetentionDays
  created_at: Date
}

export async function listChanges(db: Db, count: number): Promise<ChangeRow[]> {
  const rows = await read(
    db,
    sql<ChangeRow>`
    select user_id, days, created_at from retention_changes order by id desc limit ${count}`,
  )
  return rows
}

/** One change at a time, so that each starts from the one before it. */
export async function lockSetting(tx: Tx) {
  await sql`select pg_advisory_xact_lock(${LOCKS.retention})`.execute(tx)
}

export async function insertChange(tx: Tx, { user_id, days, created_at }: ChangeRow) {
  await tx
    .insertInto('retention_changes')
    .values({ user_id, days: JSON.stringify(days), created_at })
    .execute()
}

/** How far the removal of a kind has come, by time, and which messages it has seen. */
export interface Progress {
  swept_to: Date
  seen_id: number
  newest_id: number
}

export function findProgress(db: Db, kind: Kind): Promise<Progress | undefined> {
  return db
    .selectFrom('retention_progress')
    .select(['swept_to', 'seen_id', 'newest_id'])
    .where('kind', '=', kind)
    .executeTakeFirst()
}

export async function saveProgress(tx: Tx, kind: Kind, progress: Progress) {
  await tx
    .insertInto('retention_progress')
    .values({ kind, ...progress })
    .onConflict((conflict) => conflict.column('kind').doUpdateSet({ ...progress }))
    .execute()
}

export async function findOldestTime(db: Db): Promise<Date | null> {
  const rows = await read(db, sql<{ at: Date | null }>`select min(created_at) as at from messages`)
  return rows[0]?.at ?? null
}

export async function findNewestId(db: Db): Promise<number> {
  const rows = await read(db, sql<{ id: number }>`select coalesce(max(id), 0) as id from messages`)
  return rows[0]?.id ?? 0
}

export interface OldMessage {
  id: number
  chat_id: number
  has_thread: boolean
}

/** Which messages: those of a stretch of time, or those that came after `arrived_after` and are older than `to`. */
export type Span = { from: Date; to: Date } | { arrived_after: number; to: Date }

/** The next messages of a kind in a span, by id. What is empty already and only holds its thread is left out. */
export async function listOld(
  db: Db,
  kind: Kind,
  span: Span,
  after: number,
  count: number,
): Promise<OldMessage[]> {
  const within = 'from' in span ? sql`m.created_at >= ${span.from}` : sql`m.id > ${span.arrived_after}`
  const rows = await read(
    db,
    sql<OldMessage>`
    select m.id, m.chat_id, t.id is not null as has_thread
    from messages m join chats root on root.id = m.root_chat_id left join threads t on t.message_id = m.id
    where ${within} and m.created_at < ${span.to} and m.id > ${after} and root.kind = ${kind}
      and not (m.deleted_at is not null and t.id is not null)
    order by m.id limit ${count}`,
  )
  return rows
}

/** Holds chats, in their order, before anything in them is touched. */
export async function lockChats(tx: Tx, ids: readonly number[]) {
  await sql`select from chats where id = any(${ids}) order by id for no key update`.execute(tx)
}

/** Everything that hangs on these messages except their files; gives the pictures of their previews. */
export async function deleteHangers(tx: Tx, ids: readonly number[]): Promise<string[]> {
  await sql`delete from reactions where message_id = any(${ids})`.execute(tx)
  await sql`delete from pins where message_id = any(${ids})`.execute(tx)
  await sql`delete from mentions where message_id = any(${ids})`.execute(tx)
  const { rows } = await sql<{ image_key: string | null }>`
    delete from link_previews where message_id = any(${ids}) returning image_key`.execute(tx)
  return rows.flatMap(({ image_key }) => (image_key === null ? [] : [image_key]))
}

export async function listFileIds(db: Db, ids: readonly number[]): Promise<number[]> {
  const rows = await read(db, sql<{ id: number }>`select id from files where message_id = any(${ids})`)
  return rows.map(({ id }) => id)
}

/** Removes the rows; unread counters no longer count them. */
export async function deleteMessages(tx: Tx, ids: readonly number[]) {
  await sql`
    with removed as (delete from messages where id = any(${ids}) returning chat_id, number)
    update chats c set removed_count = greatest(c.removed_count, x.number)
    from (select chat_id, max(number) as number from removed group by chat_id) x where c.id = x.chat_id`.execute(
    tx,
  )
}

/** A message with a thread stays as an empty stub, so that the thread still hangs on something. */
export async function emptyMessages(tx: Tx, ids: readonly number[], now: Date) {
  await sql`
    update messages set content = '', buttons = null, display_name = null, display_avatar_url = null,
      forwarding = null, has_files = false, deleted_at = coalesce(deleted_at, ${now})
    where id = any(${ids})`.execute(tx)
}

/** Chats show what is left: their last message is one that is there, and cached pages are read again. */
export async function refreshChats(tx: Tx, ids: readonly number[]) {
  await sql`
    update chats c set version = version + 1, last_message_id = (
      select max(m.id) from messages m where m.chat_id = c.id and m.deleted_at is null)
    where c.id = any(${ids})`.execute(tx)
}
