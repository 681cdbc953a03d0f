import { noticesRead, type PersonalNotice } from '@parley/contract'
import { now } from '../platform/clock.js'
import type { Context } from '../platform/context.js'
import type { Tx } from '../platform/db/index.js'
import { transaction } from '../platform/db/transaction.js'
import { emit } from '../platform/events/emit.js'
import type { EventReader, RelayedEvent } from '../platform/events/relay.js'
import {
  countUnreadNotices,
  insertNotices,
  type NoticeRow,
  updateApprovalNoticeRead,
  updateNoticesRead,
} from './notice-queries.js'

const COUNTED_AT_MOST = 100

async function keep(tx: Tx, events: readonly RelayedEvent[]) {
  const rows = events.flatMap(({ id, type, payload, created_at }) => {
    if (type !== 'notice.created') return []
    const { user_id, kind, ...rest } = payload
    return [{ event_id: id, user_id, kind, payload: JSON.stringify(rest), created_at }]
  })
  if (rows.length > 0) await insertNotices(tx, rows)
}

/** Has the devices of a person hear which notices are read, where any is. */
async function tellRead(tx: Tx, ctx: Context, user_id: number, notice_ids: number[]) {
  if (notice_ids.length === 0) return
  const notices_unread = await countUnreadNotices(tx, user_id, COUNTED_AT_MOST)
  await emit(tx, ctx, { user_id }, noticesRead, { user_id, notice_ids, notices_unread })
}

/** Keeps every notice that an area gives; a request that was decided no longer calls for the person. */
export function keepNotices(ctx: Context): EventReader {
  return async (tx, events) => {
    await keep(tx, events)
    for (const { type, payload } of events) {
      if (type !== 'approval.decided') continue
      const { user_id, approval_id } = payload
      await tellRead(
        tx,
        ctx,
        user_id,
        await updateApprovalNoticeRead(tx, user_id, approval_id, now(ctx.clock)),
      )
    }
  }
}

export function markNoticesRead(ctx: Context, userId: number, noticeId: number): Promise<void> {
  return transaction(ctx, async (tx) => {
    await tellRead(tx, ctx, userId, await updateNoticesRead(tx, userId, noticeId, now(ctx.clock)))
  })
}

export function presentNotice({ id, kind, payload, created_at, read_at }: NoticeRow): PersonalNotice {
  const times = { created_at: created_at.toISOString(), read_at: read_at?.toISOString() ?? null }
  return { id, kind, payload, ...times }
}
