import { sql } from 'kysely'
import { UNREAD_SQL } from '../chats/cards.js'
import { type Db, read } from '../platform/db/index.js'

const COUNTED_AT_MOST = 100

export interface Counters {
  unread_threads: number
  notices_unread: number
}

/** Followed threads with something unread, and unread notices. */
export async function countWaiting(db: Db, userId: number): Promise<Counters> {
  const rows = await read(
    db,
    sql<Counters>`
    select
      (select count(*) from (
        select from chat_members me join chats c on c.id = me.chat_id
        where me.user_id = ${userId} and me.place = 'thread' and c.messages_count > me.read_number
          and ${sql.raw(UNREAD_SQL)} > 0
        limit ${COUNTED_AT_MOST}) t) as unread_threads,
      (select count(*) from (
        select from notices where user_id = ${userId} and read_at is null limit ${COUNTED_AT_MOST}) n) as notices_unread`,
  )
  return rows[0] as Counters
}
