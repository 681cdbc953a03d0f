import type { RetentionDays } from '@parley/contract'
import { sql } from 'kysely'
import type { Db, Tx } from '../platform/db/index.js'

export type Kind = keyof RetentionDays
export const KINDS: readonly Kind[] = ['conversation', 'channel', 'personal', 'thread']

export interface ChangeRow {
  user_id: number
  days: RetentionDays
  created_at: Date
}

export async function listChanges(db: Db, count: number): Promise<ChangeRow[]> {
  const { rows } = await sql<ChangeRow>`
    select user_id, days, created_at from retention_changes order by id desc limit ${count}`.execute(db)
  return rows
}

const LOCK = 7_310_545

/** One change at a time, so that each starts from the one before it. */
export async function lockSetting(tx: Tx) {
  await sql`select pg_advisory_xact_lock(${LOCK})`.execute(tx)
}

export async function insertChange(tx: Tx, { user_id, days, created_at }: ChangeRow) {
  await tx
    .insertInto('retention_changes')
    .values({ user_id, days: JSON.stringify(days), created_at })
    .execute()
}

export async function findProgress(db: Db, kind: Kind): Promise<number> {
  const row = await db
    .selectFrom('retention_progress')
    .select('message_id')
    .where('kind', '=', kind)
    .executeTakeFirst()
  return row?.message_id ?? 0
}

export async function moveProgress(tx: Tx, kind: Kind, message_id: number) {
  await tx
    .insertInto('retention_progress')
    .values({ kind, message_id })
    .onConflict((conflict) => conflict.column('kind').doUpdateSet({ message_id }))
    .execute()
}

export interface OldMessage {
  id: number
  chat_id: number
  kind: Kind
  created_at: Date
  has_thread: boolean
}

/** The next messages in the order of their ids, whatever their kind. */
export async function listNext(db: Db, after: number, count: number): Promise<OldMessage[]> {
  const { rows } = await sql<OldMessage>`
    select m.id, m.chat_id, root.kind, m.created_at,
      exists (select from threads t where t.message_id = m.id) as has_thread
    from messages m join chats root on root.id = m.root_chat_id
    where m.id > ${after} order by m.id limit ${count}`.execute(db)
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
  const { rows } = await sql<{ id: number }>`select id from files where message_id = any(${ids})`.execute(db)
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
