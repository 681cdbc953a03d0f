import { type RawBuilder, sql } from 'kysely'
import { plainArray } from '../platform/db/array.js'
import { type Db, read } from '../platform/db/index.js'
import { timeSql } from '../platform/db/json-sql.js'
import { PERSON_COLUMNS, type PersonRow } from '../users/person-queries.js'
import { FEW_CHATS, WINDOW } from './activity-sql.js'
import {
  AROUND_SQL,
  FACTS_SQL,
  FACTS_TABLES_SQL,
  LAST_MESSAGE_TABLE_SQL,
  memberSql,
  NAME_SQL,
  STAMP_SQL,
} from './cards.js'

/** Chats of the first page, and of those that the preferences name beside it. */
export const FIRST_CHATS = 50
const PINNED_AT_MOST = 100

/** Between facts: a control character that JSON text never holds unescaped. */
export const BETWEEN = '\u0003'

const BY_ACTIVITY = 'last_message_at desc, id desc'

/** One more than the page, where there are more. */
const NEWEST_ROWS = FIRST_CHATS + 1
const MEMBERSHIPS_SQL = `chat_members me on me.user_id = v.user_id and me.place in ('group', 'personal') and not me.hidden`

/** Of somebody in many chats: those among the chats of the workspace that were written to last. */
const WALKED_SQL = `
  select c.id, c.last_message_at from (
    select * from chats where kind <> 'thread'
    order by active_minute desc, ${BY_ACTIVITY} limit ${WINDOW}) c cross join v
  where (select count(*) from (select from v join ${MEMBERSHIPS_SQL} limit ${FEW_CHATS + 1}) m) > ${FEW_CHATS}
    and c.archived_at is null and (select true from chat_members me where me.chat_id = c.id and me.user_id = v.user_id
      and me.place in ('group', 'personal') and not me.hidden)
  order by active_minute desc, ${BY_ACTIVITY} limit ${NEWEST_ROWS}`

/** The chats that were written to last. A card is made of those of the page alone. */
const NEWEST_SQL = `
  select * from walked where (select count(*) from walked) = ${NEWEST_ROWS}
  union all (
    select c.id, c.last_message_at from v join ${MEMBERSHIPS_SQL}
    cross join lateral (
      select id, last_message_at from chats where id = me.chat_id and archived_at is null offset 0) c
    where (select count(*) from walked) < ${NEWEST_ROWS} order by ${BY_ACTIVITY} limit ${NEWEST_ROWS})`

/** Chats that stand at the top of the list. Preferences are any JSON that a client wrote. */
const PINNED_SQL = `
  select named.id::bigint as id from v join preferences p on p.user_id = v.user_id cross join lateral (
    select value #>> '{}' as id from jsonb_path_query(p.value, '$.favourite_chat_ids[*]') value
    union all select value #>> '{}' from jsonb_path_query(p.value, '$.sections[*].chat_ids[*]') value
    limit ${PINNED_AT_MOST}) named
  where case when named.id ~ '^[0-9]{1,18}$' then true end`

const FIRST_SQL = `select id from (select id from newest order by ${BY_ACTIVITY} limit ${FIRST_CHATS}) n
  union ${PINNED_SQL}`

const PAGE_END_SQL = `case when (select count(*) from newest) > ${FIRST_CHATS} then (
    select json_build_object('id', id, 'value', ${timeSql('last_message_at')})
    from newest order by ${BY_ACTIVITY} offset ${FIRST_CHATS - 1} limit 1) end`

const ownSql = (whole: boolean) => `
  select own.ids::text, own.stamps::text, own.members_counts::text, own.facts, own.others, v.tag_ids::text as tags,
    (select json_object_agg(t.chat_id, t.tag_ids) from (
      select chat_id, array_agg(tag_id order by tag_id) as tag_ids from chat_tags
      where chat_id = any(own.ids) group by chat_id) t) as chat_tag_ids,
    (select coalesce(json_agg(p order by p.id), '[]') from (
      select ${PERSON_COLUMNS} from users where id = any(own.author_ids || own.other_ids || v.user_id)) p) as people
  from v cross join (
    select array_agg(id) as ids, array_agg(stamp) as stamps, array_agg(members_count) as members_counts,
      string_agg(facts, chr(${BETWEEN.charCodeAt(0)})) as facts,
      array_agg(author_id) filter (where author_id is not null) as author_ids,
      array_agg(other_id) filter (where other_id is not null) as other_ids,
      json_object_agg(id, json_build_object('id', other_id, 'name', name)) filter (where other_id is not null) as others
    from (
      select c.id, ${STAMP_SQL} as stamp, coalesce(r.members_count, 0) as members_count,
        other.id as other_id, ${NAME_SQL} as name, m.user_id as author_id,
        ${whole ? FACTS_SQL : 'null'} as facts
      from v cross join page join chats c on c.id = page.id and c.archived_at is null
      join ${memberSql('c.id')} me on me.place in ('group', 'personal') and not me.hidden
      ${whole ? FACTS_TABLES_SQL : LAST_MESSAGE_TABLE_SQL} ${AROUND_SQL}
      order by c.last_message_at desc, c.id desc) chat) own`

const OWN_SQL = { whole: ownSql(true), stamps: ownSql(false) }

/** Chats of a person, latest message first; and the person, others of personal chats, and authors of last messages. */
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

export interface FirstChats extends OwnChats {
  /** The last one of the first page, where more follow. */
  page_end: { id: number; value: string } | null
}

/** Whose chats they are; `known` where most of what the cards show is kept. */
export interface Asker {
  user_id: number
  meet: string
  known: boolean
}

const askerSql = ({ user_id, meet }: Asker) => sql`v as materialized (
  select ${user_id}::bigint as user_id, array(select tag_id from user_tags where user_id = ${user_id}::bigint) as tag_ids,
    ${meet}::text as meet)`
const cardsSql = ({ known }: Asker) => sql.raw(known ? OWN_SQL.stamps : OWN_SQL.whole)

/** The first page of the active chats of a person, and those that the preferences name. */
export function firstChatsSql(asker: Asker): RawBuilder<FirstChats> {
  return sql<FirstChats>`
    with ${askerSql(asker)}, walked as materialized (${sql.raw(WALKED_SQL)}),
      newest as materialized (${sql.raw(NEWEST_SQL)}), page as materialized (${sql.raw(FIRST_SQL)})
    select own.*, ${sql.raw(PAGE_END_SQL)} as page_end from (${cardsSql(asker)}) own`
}

/** Those of these chats that are active chats of the person. */
export async function findOwnChats(db: Db, asker: Asker, ids: readonly number[]): Promise<OwnChats> {
  const [chats] = await read(
    db,
    sql<OwnChats>`
    with ${askerSql(asker)}, page as materialized (select id from unnest(${plainArray(ids)}::bigint[]) id)
    ${cardsSql(asker)}`,
  )
  return chats as OwnChats
}
