import { type RawBuilder, sql } from 'kysely'
import { PERSON_COLUMNS, type PersonRow } from '../users/person-queries.js'
import { AROUND_SQL, FACTS_SQL, FACTS_TABLES_SQL, NAME_SQL, STAMP_SQL } from './cards.js'

/** Between facts: a control character that JSON text never holds unescaped. */
export const BETWEEN = '\u0003'

const ownSql = (whole: boolean) => `
  select own.ids::text, own.stamps::text, own.members_counts::text, own.facts, own.others, v.tag_ids::text as tags,
    (select json_object_agg(t.chat_id, t.tag_ids) from (
      select chat_id, array_agg(tag_id order by tag_id) as tag_ids from chat_tags
      where chat_id = any(own.ids) group by chat_id) t) as chat_tag_ids,
    (select coalesce(json_agg(p order by p.id), '[]') from (
      select ${PERSON_COLUMNS} from users where id = any(v.people || own.other_ids || v.user_id)) p) as people
  from v cross join (
    select array_agg(id) as ids, array_agg(stamp) as stamps, array_agg(members_count) as members_counts,
      string_agg(facts, chr(${BETWEEN.charCodeAt(0)})) as facts,
      array_agg(other_id) filter (where other_id is not null) as other_ids,
      json_object_agg(id, json_build_object('id', other_id, 'name', name)) filter (where other_id is not null) as others
    from (
      select c.id, ${STAMP_SQL} as stamp, coalesce(r.members_count, 0) as members_count,
        other.id as other_id, ${NAME_SQL} as name,
        ${whole ? FACTS_SQL : 'null'} as facts
      from v join chat_members me on me.user_id = v.user_id and me.place in ('group', 'personal') and not me.hidden
      join chats c on c.id = me.chat_id and c.archived_at is null ${whole ? FACTS_TABLES_SQL : ''} ${AROUND_SQL}
      order by c.last_message_at desc, c.id desc) chat) own`

const OWN_SQL = { whole: ownSql(true), stamps: ownSql(false) }

/** The active chats of a person, latest message first; and the person, others of personal chats, and those who are known. */
export interface OwnChats {
  /** Arrays of one value for each chat, as text: hundreds of small values are dear to read one by one. */
  ids: string | null
  stamps: string | null
  members_counts: string | null
  /** Of all chats, where they were asked for. */
  facts: string | null
  /** By the id of a chat: the other side of a personal one, and tags. */
  others: Record<string, { id: number; name: string }> | null
  chat_tag_ids: Record<string, number[]> | null
  /** Of the person. */
  tags: string
  people: PersonRow[]
}

/** What is known of the chats of a person before they are read. */
export interface KnownCards {
  /** Whether most of what the cards show is. */
  facts: boolean
  author_ids: readonly number[]
}

export function ownChatsSql(userId: number, meet: string, known: KnownCards): RawBuilder<OwnChats> {
  return sql<OwnChats>`
    with v as materialized (
      select ${userId}::bigint as user_id, array(select tag_id from user_tags where user_id = ${userId}::bigint) as tag_ids,
        ${meet}::text as meet, ${known.author_ids}::bigint[] as people)
    ${sql.raw(known.facts ? OWN_SQL.stamps : OWN_SQL.whole)}`
}
