import type { Preferences } from '@parley/contract'
import { sql } from 'kysely'
import { UNREAD_SQL } from '../chats/cards.js'
import { NEWEST_POSITION_SQL } from '../live/queries.js'
import { type KeptSettings, settingsSql } from '../notifications/setting-queries.js'
import { type Db, read } from '../platform/db/index.js'

const COUNTED_AT_MOST = 100

/** Where somebody starts from: small things, and whether there is more to read. */
export interface Beginning {
  position: number
  preferences: Preferences | null
  notifications: KeptSettings
  /** Followed threads with something unread, and unread notices. */
  unread_threads: number
  notices_unread: number
  has_drafts: boolean
  has_views: boolean
}

export async function readBeginning(db: Db, userId: number): Promise<Beginning> {
  const rows = await read(
    db,
    sql<Beginning>`
    select ${sql.raw(NEWEST_POSITION_SQL)} as position,
      (select value from preferences where user_id = ${userId}) as preferences,
      ${settingsSql(userId)} as notifications,
      exists (select from drafts where user_id = ${userId}) as has_drafts,
      exists (select from views where user_id = ${userId} and closed_at is null) as has_views,
      (select count(*) from (
        select from chat_members me join chats c on c.id = me.chat_id
        where me.user_id = ${userId} and me.place = 'thread' and c.messages_count > me.read_number
          and ${sql.raw(UNREAD_SQL)} > 0
        limit ${COUNTED_AT_MOST}) t) as unread_threads,
      (select count(*) from (
        select from notices where user_id = ${userId} and read_at is null limit ${COUNTED_AT_MOST}) n) as notices_unread`,
  )
  return rows[0] as Beginning
}
