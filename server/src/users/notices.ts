import type { PersonalNotice } from '@parley/contract'
import { sql } from 'kysely'
import { now } from '../platform/clock.js'
import type { Context } from '../platform/context.js'
import type { Autocommit, Db, Tx } from '../platform/db/index.js'
import { transaction } from '../platform/db/transaction.js'
import type { RelayedEvent } from '../platform/events/relay.js'
import { type Paging, pageOf } from '../platform/http/page.js'

/** Keeps every notice that an area gives, for those who do not see it at once. */
export async function keepNotices(tx: Tx, events: RelayedEvent[]) {
  const rows = events.flatMap(({ id, type, payload, created_at }) => {
    if (type !== 'notice.created') return []
    const { user_id, kind, ...rest } = payload
    return [{ event_id: id, user_id, kind, payload: JSON.stringify(rest), created_at }]
  })
  if (rows.length === 0) return
  await tx
    .insertInto('notices')
    .values(rows)
    .onConflict((conflict) => conflict.column('event_id').doNothing())
    .execute()
}

export function listNoticesOf(db: Db, userId: number, unread: boolean, paging: Paging) {
  const all = db.selectFrom('notices').selectAll().where('user_id', '=', userId)
  const wanted = unread ? all.where('read_at', 'is', null) : all
  return pageOf(wanted, paging, { id: sql`id` }).execute()
}

export async function markNoticesRead(ctx: Context, userId: number, noticeId: number) {
  await transaction(ctx, (tx) =>
    tx
      .updateTable('notices')
      .set({ read_at: now(ctx.clock) })
      .where('user_id', '=', userId)
      .where('id', '<=', noticeId)
      .where('read_at', 'is', null)
      .execute(),
  )
}

export async function dropNotices(db: Autocommit, before: Date) {
  await db.deleteFrom('notices').where('created_at', '<', before).execute()
}

type NoticeRow = Awaited<ReturnType<typeof listNoticesOf>>[number]

export function presentNotice({ id, kind, payload, created_at, read_at }: NoticeRow): PersonalNotice {
  const times = { created_at: created_at.toISOString(), read_at: read_at?.toISOString() ?? null }
  return { id, kind, payload, ...times }
}
