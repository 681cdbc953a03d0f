import { type RawBuilder, sql } from 'kysely'

/** What all records of messages have in common, so that blocks need not store it. */
export const OF_MESSAGES = { event_key: 'message_created', entity_type: 'Message' } as const

/** The records of a row of `audit_blocks`, `b`, or of `audit_waiting`, as rows `e` in their order. */
export function recordsOf(table: 'audit_blocks' | 'audit_waiting'): RawBuilder<unknown> {
  const times =
    table === 'audit_blocks'
      ? sql`b.created_times`
      : sql`array_fill(b.created_at, array[cardinality(b.message_ids)])`
  return sql`unnest(${times}, b.sequences, b.message_ids, b.actor_ids, b.ip_addresses, b.user_agents) with ordinality
    as e (created_at, sequence, message_id, actor_id, ip_address, user_agent, place)`
}

/** A time as it is hashed: as text, so that no digit of it can slip through. */
export const timeText = (time: RawBuilder<unknown>) =>
  sql`to_char(${time} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US')`
