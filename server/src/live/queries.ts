import { sql } from 'kysely'
import { expandEvent } from '../messages/expand-event.js'
import { type Db, read } from '../platform/db/index.js'
import { opaqueId, opaqueIds } from '../platform/db/opaque-sql.js'
import type { RelayedEvent } from '../platform/events/relay.js'

/** The events after a position, in order. */
export async function listEventsAfter(db: Db, position: number, limit: number): Promise<RelayedEvent[]> {
  const rows = await read(
    db,
    sql<RelayedEvent>`
    select id, position, type, chat_id, actor_id, payload, created_at from events
    where position > ${opaqueId(position)} order by position limit ${opaqueId(limit)}`,
  )
  return rows.map(expandEvent)
}

/**
 * The position of the newest event; of the last that was relayed where none is kept. The sequence would give positions of
 * events that have not committed: whoever began there would never get them.
 */
export const NEWEST_POSITION_SQL = `coalesce((select max(position) from events where position is not null),
  (select position from relay_cursor))`

/** The positions that can still be read, and the last one given. */
export async function findPositions(db: Db): Promise<{ oldest: number | null; newest: number }> {
  const rows = await read(
    db,
    sql<{ oldest: number | null; newest: number }>`
    select (select min(position) from events where position is not null) as oldest,
      ${sql.raw(NEWEST_POSITION_SQL)} as newest`,
  )
  return rows[0] as { oldest: number | null; newest: number }
}

/**
 * Who of these people is in which of these chats, or in the chat that one of them, a thread, hangs in. Order and limit make the
 * database look each person up in the chat; else it may read all memberships of all of them.
 */
export async function listViewers(
  db: Db,
  chatIds: readonly number[],
  userIds: readonly number[],
): Promise<{ chat_id: number; user_id: number; personal: boolean }[]> {
  if (chatIds.length === 0 || userIds.length === 0) return []
  const rows = await read(
    db,
    sql<{ chat_id: number; user_id: number; personal: boolean }>`
    select c.id as chat_id, m.user_id, c.kind = 'personal' as personal
    from chats c left join threads t on t.chat_id = c.id
    cross join lateral (
      select user_id from chat_members
      where chat_id = any(array[c.id, t.message_chat_id]) and user_id = any(${opaqueIds(userIds)})
      order by chat_id, user_id limit ${opaqueId(2 * userIds.length)}) m
    where c.id = any(${opaqueIds(chatIds)})`,
  )
  return rows
}
