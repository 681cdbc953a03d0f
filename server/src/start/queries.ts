import type { Preferences } from '@parley/contract'
import { sql } from 'kysely'
import type { WorkspaceRow } from '../accounts/sessions.js'
import { UNREAD_SQL } from '../chats/cards.js'
import { type FirstChats, firstChatsSql } from '../chats/own-chat-queries.js'
import { NEWEST_POSITION_SQL } from '../live/queries.js'
import { type KeptSettings, settingsSql } from '../notifications/setting-queries.js'
import { type Db, read } from '../platform/db/index.js'
import { only } from '../platform/db/only-sql.js'
import { CARD, type CardViewer, viewerSql } from '../users/card-queries.js'
import { CARD_TABLES } from '../users/card-sql.js'

const COUNTED_AT_MOST = 100

/** Everything that a client shows first, as of one moment. */
export interface Beginning extends WorkspaceRow, FirstChats {
  position: number
  own_names: string
  /** The card of the person as JSON, whose status is still marked. */
  user_json: string
  preferences: Preferences | null
  notifications: KeptSettings
  /** Followed threads with something unread, and unread notices. */
  unread_threads: number
  notices_unread: number
  has_drafts: boolean
  has_views: boolean
}

/** The chat of each thread is looked up: joined, a plan would read all chats of the workspace. */
const unreadThreadsSql = (user_id: number) => sql`
  select count(*) from (
    select from chat_members me cross join lateral (
      select * from chats where id = me.chat_id and messages_count > me.read_number offset 0) c
    where me.user_id = ${user_id} and me.place = 'thread' and ${sql.raw(UNREAD_SQL)} > 0
    limit ${sql.lit(COUNTED_AT_MOST)}) t`

/** One statement, so that all of it is as of the position. */
export async function readBeginning(
  db: Db,
  viewer: CardViewer,
  { public_url, meet, known }: { public_url: string; meet: string; known: boolean },
): Promise<Beginning | undefined> {
  const { user_id } = viewer
  const rows = await read(
    db,
    sql<Beginning>`
    select ${sql.raw(NEWEST_POSITION_SQL)} as position,
      u.role, w.name, w.time_zone, w.plan, w.integrations, w.personal_tokens, w.own_names, ${CARD} as user_json,
      own.*,
      (select value from preferences where user_id = ${user_id}) as preferences,
      ${settingsSql(user_id)} as notifications,
      exists (select from drafts where user_id = ${user_id}) as has_drafts,
      exists (select from views where user_id = ${user_id} and closed_at is null) as has_views,
      (${unreadThreadsSql(user_id)}) as unread_threads,
      (select count(*) from (
        select from notices where ${only(['user_id', sql`${user_id}::bigint`])} and read_at is null
        order by user_id, id limit ${sql.lit(COUNTED_AT_MOST)}) n) as notices_unread
    from users u cross join ${viewerSql(viewer, public_url)} ${sql.raw(CARD_TABLES)}
    cross join (${firstChatsSql({ user_id, meet, known })}) own
    where u.id = ${user_id} and u.deleted_at is null`,
  )
  return rows[0]
}
