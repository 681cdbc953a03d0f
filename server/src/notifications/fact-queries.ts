import { type RawBuilder, sql } from 'kysely'

/** An unread message of somebody else with what its reader has set. */
export interface FactRow {
  user_id: number
  message_id: number
  chat_id: number
  author_id: number
  author: string
  content: string
  file_names: string | null
  kind: 'conversation' | 'channel' | 'personal' | 'thread'
  chat_name: string
  thread_id: number | null
  parent_chat_id: number | null
  time_zone: string
  level: string | null
  keywords: string[] | null
  quiet_from: string | null
  quiet_to: string | null
  sound: boolean | null
  chat_level: string | null
  muted_until: Date | null
  parent_level: string | null
  parent_muted_until: Date | null
  mentioned: boolean
}

export const FACTS = sql`
  m.user_id, msg.id as message_id, msg.chat_id, msg.user_id as author_id,
  coalesce(msg.display_name, nullif(concat_ws(' ', a.first_name, a.last_name), ''), a.nickname) as author,
  msg.content, msg.file_names, c.kind, coalesce(parent.name, c.name) as chat_name, t.id as thread_id,
  t.message_chat_id as parent_chat_id, coalesce(nullif(u.time_zone, ''), w.time_zone) as time_zone,
  s.level, s.keywords, s.quiet_from, s.quiet_to, s.sound, n.level as chat_level, n.muted_until,
  pn.level as parent_level, pn.muted_until as parent_muted_until,
  exists (select from mentions x where x.message_id = msg.id and (x.user_id = m.user_id
    or (x.user_id is null and x.tag_id is null)
    or x.tag_id in (select tag_id from user_tags where user_id = m.user_id))) as mentioned`

/**
 * Unread messages of others with those who are in their chats now: nothing of a chat that a person is not in, of a deleted
 * message, or of one that was read. `narrowed` joins what narrows the readers down; it comes early, as the planner keeps the
 * order of so many joins.
 */
export function factsFrom(narrowed: RawBuilder<unknown>) {
  return sql`
  from messages msg
  join chats c on c.id = msg.chat_id and c.archived_at is null
  join chat_members m on m.chat_id = msg.chat_id and m.user_id <> msg.user_id and m.read_message_id < msg.id
  ${narrowed}
  join users u on u.id = m.user_id and u.deleted_at is null and not u.suspended
  join users a on a.id = msg.user_id
  cross join workspace w
  left join threads t on t.chat_id = c.id
  left join chats parent on parent.id = t.message_chat_id
  left join notification_settings s on s.user_id = m.user_id
  left join chat_notifications n on n.user_id = m.user_id and n.chat_id = c.id
  left join chat_notifications pn on pn.user_id = m.user_id and pn.chat_id = t.message_chat_id
  where msg.deleted_at is null and not msg.system`
}
