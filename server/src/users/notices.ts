import type { PersonalNotice } from '@parley/contract'
import { now } from '../platform/clock.js'
import type { Context } from '../platform/context.js'
import type { Tx } from '../platform/db/index.js'
import { transaction } from '../platform/db/transaction.js'
import type { RelayedEvent } from '../platform/events/relay.js'
import { insertNotices, type NoticeRow, updateNoticesRead } from './notice-queries.js'

/** Keeps every notice that an area gives, for those who do not see it at once. */
export async function keepNotices(tx: Tx, events: RelayedEvent[]) {
  const rows = events.flatMap(({ id, type, payload, created_at }) => {
    if (type !== 'notice.created') return []
    const { user_id, kind, ...rest } = payload
    return [{ event_id: id, user_id, kind, payload: JSON.stringify(rest), created_at }]
  })
  if (rows.length > 0) await insertNotices(tx, rows)
}

export async function markNoticesRead(ctx: Context, userId: number, noticeId: number) {
  await transaction(ctx, (tx) => updateNoticesRead(tx, userId, noticeId, now(ctx.clock)))
}

export function presentNotice({ id, kind, payload, created_at, read_at }: NoticeRow): PersonalNotice {
  const times = { created_at: created_at.toISOString(), read_at: read_at?.toISOString() ?? null }
  return { id, kind, payload, ...times }
}
