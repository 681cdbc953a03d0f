import type { QuotedMessage, ReactionGroup, ThreadSummary } from '@parley/contract'
import { memberSql, UNREAD_SQL } from '../chats/cards.js'
import type { FileRow } from '../files/queries.js'
import { entitySql } from '../messages/message-sql.js'
import type { PreviewRow } from '../previews/queries.js'
import { PERSON_COLUMNS, type PersonRow } from '../users/person-queries.js'
import { QUOTED_SQL, threadFieldsSql } from './replies-sql.js'

/** What hangs on a message, as its reader sees it. */
export interface Around {
  files: FileRow[] | null
  quoted: QuotedMessage | null
  reactions: ReactionGroup[] | null
  previews: PreviewRow[] | null
  thread: ThreadSummary | null
  pinned: boolean
  mentioned: boolean
}

/** A page of messages without what they say. */
export interface ShownRow {
  /** A line for each message: its id, its stamp, and the type and id of the entity that it belongs to. */
  lines: string | null
  /** By id, of messages on which something hangs. */
  around: Record<string, Around> | null
  /** Whom the messages show. */
  people: PersonRow[]
  perimeter: boolean
}

/** Another one after each change of a row of `messages`. */
export const STAMP_SQL = 'xmin::text'

/** Of `messages`, what `page` has of them. */
export const PAGE_COLUMNS = `id, chat_id, user_id, parent_message_id, forwarding, system_event, has_files, ${STAMP_SQL} as stamp`

const REACTIONS = `
  select json_agg(json_build_object('code', r.code, 'name', nullif(r.name, ''), 'count', r.count, 'mine', r.mine,
    'user_ids', r.user_ids) order by r.first)
  from (select min(code) as code, min(name) as name, count(*) as count, min(id) as first,
      bool_or(user_id = v.user_id) as mine, (array_agg(user_id order by id))[1:10] as user_ids
    from reactions where message_id = m.id group by emoji) r`

const THREAD = `
  select json_build_object(${threadFieldsSql('c')}, 'following', me.user_id is not null, 'unread_count', ${UNREAD_SQL})
  from threads t join chats c on c.id = t.chat_id left join ${memberSql('c.id')} me on true
  where t.message_id = m.id`

const MENTIONED = `m.user_id <> v.user_id and exists (
  select from mentions n where n.message_id = m.id and case
    when n.user_id is not null then n.user_id = v.user_id
    when n.tag_id is not null then exists (
      select from user_tags ut where ut.tag_id = n.tag_id and ut.user_id = v.user_id)
    else true end)`

const listed = (table: string) =>
  `select json_agg(f order by f.position) from ${table} f where f.message_id = m.id`
const hasAny = (table: string) => `exists (select from ${table} where message_id = m.id)`

/** Most messages have nothing around them, which an index says before anything is put together. */
const AROUND = `
  select case when m.has_files then (${listed('files')}) end as files,
    ${QUOTED_SQL} as quoted,
    case when ${hasAny('reactions')} then (${REACTIONS}) end as reactions,
    case when ${hasAny('link_previews')} then (${listed('link_previews')}) end as previews,
    (${THREAD}) as thread, ${hasAny('pins')} as pinned, ${MENTIONED} as mentioned offset 0`

const AROUND_JSON = `
  case when x.pinned or x.mentioned or coalesce(x.files, x.quoted, x.reactions, x.previews, x.thread) is not null then row_to_json(x) end`

/** The ids of those whom a message shows besides its author, with commas between them; null for most. */
const OTHERS = `
  case when coalesce(x.quoted, x.reactions, x.thread) is not null or m.forwarding is not null or m.system_event is not null then
    nullif(concat_ws(',', x.quoted ->> 'user_id', m.forwarding ->> 'author_id',
      (select string_agg(n.id, ',') from json_array_elements_text(x.thread -> 'last_replier_ids') as n (id)),
      (select string_agg(n.id, ',') from json_array_elements(x.reactions) as g (one)
        cross join json_array_elements_text(g.one -> 'user_ids') as n (id)),
      (select string_agg(n.id, ',') from jsonb_array_elements_text(m.system_event -> 'user_ids') as n (id))), '') end`

/**
 * The part of a statement that turns the messages `page m`, each with its `place` and `stamp`, into a `ShownRow`, for the
 * viewer `v (user_id)`.
 */
export const SHOWN_PART = `
shown as materialized (
  select string_agg(concat_ws(' ', m.id, m.stamp, e.entity_type, e.entity_id), e'\\n' order by m.place) as lines,
    json_object_agg(m.id, ${AROUND_JSON}) filter (where ${AROUND_JSON} is not null) as around,
    array_agg(m.user_id) || string_to_array(string_agg(${OTHERS}, ','), ',')::bigint[] as people
  from v cross join page m cross join lateral (select * from chats where id = m.chat_id offset 0) c
    cross join ${entitySql('v.user_id')} cross join lateral (${AROUND}) x
)`

/** The columns of a `ShownRow`, from `shown`. */
export const SHOWN_COLUMNS = `
  shown.lines, shown.around, (select perimeter <> '{}' from workspace) as perimeter,
  (select coalesce(json_agg(someone order by someone.id), '[]') from (
    select ${PERSON_COLUMNS} from users where id = any(shown.people)) someone) as people`
