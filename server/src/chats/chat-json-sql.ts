import { timeSql } from '../platform/db/json-sql.js'
import { otherSideSql } from './personal.js'

/** The thread `t` of the chat `c`, and the chat `p` that it hangs in. */
export const THREAD_SQL = `left join threads t on c.kind = 'thread' and t.chat_id = c.id
  left join chats p on p.id = t.message_chat_id`

/** A personal chat has the name of the other side, also of people who were deleted. */
const nameSql = (viewer: string) => `case c.kind
  when 'personal' then coalesce(left((
    select coalesce(nullif(concat_ws(' ', nullif(o.first_name, ''), nullif(o.last_name, '')), ''), o.nickname)
    from users o where o.id = ${otherSideSql(viewer)}), 255), '')
  when 'thread' then 'Thread ' || coalesce(t.id::text, '')
  else c.name end`

/** Members are read from the index alone and held against the few who are suspended: a page may name thousands of them. */
const MEMBERS_SQL = `select m.user_id from chat_members m
    where m.chat_id = c.id and m.user_id not in (select id from users where suspended or deleted_at is not null)
    order by m.user_id`

/** Numbers as a JSON list: in half the time of `array_to_json`. */
export const listSql = (numbers: string) => `translate(array(${numbers})::text, '{}', '[]')`

/**
 * A hot path: the chat `c` of THREAD_SQL as JSON text, so that lists of chats cost Node nothing but passing text on. `viewer` and
 * `meet` are expressions: the id of who reads it, and the address of video rooms with `{room}` for the name of one.
 */
export function chatJsonSql(viewer: string, meet: string): string {
  return `'{"id":' || c.id || ',"name":' || to_json(${nameSql(viewer)})::text
    || ',"description":' || coalesce(to_json(c.description)::text, 'null')
    || ',"created_at":"' || ${timeSql('c.created_at')} || '","owner_id":' || c.owner_id
    || ',"member_ids":' || ${listSql(MEMBERS_SQL)}
    || ',"group_tag_ids":' || ${listSql('select g.tag_id from chat_tags g where g.chat_id = c.id order by g.tag_id')}
    || ',"channel":' || (c.kind = 'channel') || ',"archived":' || (c.archived_at is not null)
    || ',"personal":' || (c.kind = 'personal')
    || ',"public":' || case when c.kind = 'thread' then coalesce(p.public, false) else c.public end
    || ',"last_message_at":"' || ${timeSql('c.last_message_at')}
    || '","meet_room_url":' || to_json(replace(${meet}, '{room}', c.meet_slug))::text || '}'`
}
