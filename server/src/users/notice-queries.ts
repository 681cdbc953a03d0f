import { type Insertable, type Selectable, sql } from 'kysely'
import type { Autocommit, DB, Db, Tx } from '../platform/db/index.js'
import { only } from '../platform/db/only-sql.js'
import { type Paging, pageOf } from '../platform/http/page.js'

export type NoticeRow = Selectable<DB['notices']>

/** Adds notices; one that is kept already, under the same event, stays. */
export async function insertNotices(tx: Tx, notices: Insertable<DB['notices']>[]) {
  await tx
    .insertInto('notices')
    .values(notices)
    .onConflict((conflict) => conflict.column('event_id').doNothing())
    .execute()
}

export function listNoticesOf(db: Db, userId: number, unread: boolean, paging: Paging): Promise<NoticeRow[]> {
  const all = db.selectFrom('notices').selectAll()
  const wanted = unread ? all.where('read_at', 'is', null) : all
  return pageOf(wanted, paging, { of: ['user_id', sql`${userId}::bigint`], id: sql`id` }).execute()
}

/** Marks the notices of a person up to this one as read, and gives those that were not. */
export async function updateNoticesRead(
  tx: Tx,
  userId: number,
  upToId: number,
  read_at: Date,
): Promise<number[]> {
  const rows = await tx
    .updateTable('notices')
    .set({ read_at })
    .where('user_id', '=', userId)
    .where('id', '<=', upToId)
    .where('read_at', 'is', null)
    .returning('id')
    .execute()
  return rows.map(({ id }) => id)
}

/** Marks the notice that asks for an approval as read. */
export async function updateApprovalNoticeRead(
  tx: Tx,
  userId: number,
  approvalId: number,
  read_at: Date,
): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    update notices set read_at = ${read_at} where user_id = ${userId} and read_at is null
      and kind = 'token.approval' and payload -> 'approval_id' = to_jsonb(${approvalId}::bigint) returning id`.execute(
    tx,
  )
  return rows.map(({ id }) => id)
}

export async function countUnreadNotices(db: Db, userId: number, atMost: number): Promise<number> {
  const unread = db
    .selectFrom('notices')
    .select('id')
    .where(only(['user_id', sql`${userId}::bigint`]))
    .where('read_at', 'is', null)
    .orderBy('user_id')
    .orderBy('id')
    .limit(atMost)
  return (await unread.execute()).length
}

export async function dropNotices(db: Autocommit, before: Date) {
  await db.deleteFrom('notices').where('created_at', '<', before).execute()
}
