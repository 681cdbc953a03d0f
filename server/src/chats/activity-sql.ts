import { type RawBuilder, sql } from 'kysely'
import type { KeysetColumns } from '../platform/http/page.js'

/** The minute of a time, as `active_minute` of a chat has it. */
export function minuteOf(at: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`date_trunc('minute', ${at}::timestamptz at time zone 'UTC') at time zone 'UTC'`
}

/**
 * Chats `c` by their last message. Indexes have its minute alone, so that a message in a chat that had one in the same minute
 * changes none of them; those of one minute are sorted when they are read.
 */
export const BY_ACTIVITY: KeysetColumns = {
  id: sql`c.id`,
  value: sql`c.last_message_at`,
  cast: 'timestamptz',
  coarse: { column: sql`c.active_minute`, of: minuteOf },
}

/**
 * Who is in more chats than this is looked up in the chats of the workspace that were written to last, so many of them and no more.
 * Chats of anybody else are sorted.
 */
export const FEW_CHATS = 1000
export const WINDOW = 4000
