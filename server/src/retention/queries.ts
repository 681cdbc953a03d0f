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

/** How many messages of a kind are older; what is empty already is not counted. */
export async function countOld(db: Db, kind: Kind, to: Date): Promise<number> {
  const rows = await read(
    db,
    sql<{ count: number }>`
    select count(*) as count from messages m join chats root on root.id = m.root_chat_id
    where m.created_at < ${to} and root.kind = ${kind} and m.deleted_at is null`,
  )
  return rows[0]?.count ?? 0
}

export async function listFileIds(db: Db, ids: readonly number[]): Promise<number[]> {
  const rows = await read(db, sql<{ id: number }>`select id from files where message_id = any(${ids})`)
  return rows.map(({ id }) => id)
}
