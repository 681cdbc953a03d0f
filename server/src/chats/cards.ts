/**
 * A hot path: cards of chats become JSON inside the statement that reads them, as a client starts with hundreds of
 * them. Nothing is counted by reading messages: a card costs a handful of index look-ups.
 */
import type { ChatCard, Role } from '@parley/contract'
import { CompiledQuery, type RawBuilder, sql } from 'kysely'
import type { Context } from '../platform/context.js'
import { read } from '../platform/db/index.js'
import { timeSql } from '../platform/db/json-sql.js'
import { onlySql } from '../platform/db/only-sql.js'
import { PERSON_COLUMNS, type PersonRow } from '../users/person-queries.js'
import { ACTS_KEY_SQL, actsTable } from './acts.js'
import { listSql } from './chat-json-sql.js'
import { meetPattern } from './meet.js'
import { otherSideSql } from './personal.js'

/** Messages after the read pointer of `me` in the chat `c`: written since, less what was deleted of it. */
export const UNREAD_SQL = `case when me.user_id is null or c.messages_count <= greatest(me.read_number, c.removed_count) then 0
  else c.messages_count - greatest(me.read_number, c.removed_count) - (
    select count(*) from messages gone where gone.chat_id = c.id and gone.id > me.read_message_id
      and gone.deleted_at is not null and gone.number > greatest(me.read_number, c.removed_count)) end`

const COUNTED_AT_MOST = 100

/** What names many people: everybody in the chat `c`, or a tag of `me`. */
const namingManySql = (count: number) => `select n.message_id from mentions n
      where n.user_id is null and ${onlySql('n.chat_id', 'c.id')} and n.message_id > me.read_message_id
        and (n.tag_id is null or n.tag_id = any(v.tag_ids))
      order by n.chat_id, n.message_id limit ${count}`
const NAMING_ME_SQL = `select n.message_id from mentions n
      where ${onlySql('n.user_id', 'me.user_id')} and n.chat_id = c.id and n.message_id > me.read_message_id
      order by n.user_id, n.message_id limit ${COUNTED_AT_MOST}`

/**
 * Unread messages in the chat `c` that name `me`, up to a hundred. Only where some name many people can a message name `me`
 * twice, so that those of the two kinds have to be compared.
 */
const MENTIONS_SQL = `case when unread.count = 0 then 0
    when (${namingManySql(1)}) is null then (select count(*) from (${NAMING_ME_SQL}) named)
    else (select count(*) from (
      (${NAMING_ME_SQL}) union (${namingManySql(COUNTED_AT_MOST)}) limit ${COUNTED_AT_MOST}) named) end`

const LAST_CHARACTERS = 200
const DESCRIPTION_CHARACTERS = 200

const LAST_MESSAGE_SQL = `case when m.id is null then 'null' else '{"id":' || m.id || ',"user_id":' || m.user_id
  || ',"content":' || to_json(left(m.content, ${LAST_CHARACTERS}))::text
  || ',"files_count":' || case when m.has_files then (select count(*) from files f where f.message_id = m.id) else 0 end
  || ',"system":' || m.system || '}' end`

const CARD_SQL = `'{"id":' || c.id || ',"kind":"' || c.kind || '","name":' || to_json(case c.kind
      when 'personal' then left(coalesce(nullif(concat_ws(' ', nullif(o.first_name, ''), nullif(o.last_name, '')), ''), o.nickname, ''), 255)
      else c.name end)::text
    || ',"description":' || coalesce(to_json(left(c.description, ${DESCRIPTION_CHARACTERS}))::text, 'null')
    || ',"public":' || case when c.kind = 'thread' then coalesce(p.public, false) else c.public end
    || ',"archived":' || (c.archived_at is not null) || ',"owner_id":' || c.owner_id
    || ',"personal_user_id":' || coalesce(case when c.kind = 'personal' then other.id end::text, 'null')
    || ',"my_role":' || coalesce('"' || me.role || '"', 'null')
    || ',"may":' || chr(1) || ${ACTS_KEY_SQL} || chr(1)
    || ',"members_count":' || coalesce(r.members_count, 0)
    || ',"group_tag_ids":' || ${listSql('select t.tag_id from chat_tags t where t.chat_id = c.id order by t.tag_id')}
    || ',"last_message_at":"' || ${timeSql('c.last_message_at')}
    || '","last_message_id":' || coalesce(c.last_message_id::text, 'null')
    || ',"last_message":' || ${LAST_MESSAGE_SQL}
    || ',"read_message_id":' || coalesce(me.read_message_id::text, 'null')
    || ',"unread_count":' || unread.count || ',"mention_count":' || ${MENTIONS_SQL}
    || ',"meet_room_url":' || to_json(replace(v.meet, '{room}', c.meet_slug))::text || '}'`

/** Cards from `v` (user_id, tag_ids, meet), `c` and `me`. The counter is fenced, as it is used twice. */
const TABLES_SQL = `left join threads th on c.kind = 'thread' and th.chat_id = c.id
  left join chats p on p.id = th.message_chat_id
  left join chat_members mine on mine.chat_id = p.id and mine.user_id = v.user_id
  left join chat_rosters r on r.chat_id = c.id
  cross join lateral (
    select case when c.kind = 'personal' then ${otherSideSql('v.user_id')} end as id) other
  left join users o on o.id = other.id
  left join messages m on m.id = c.last_message_id and m.deleted_at is null
  cross join lateral (select ${UNREAD_SQL} as count offset 0) unread`

const OWN_SQL = `
  select own.chats, (select coalesce(json_agg(p order by p.id), '[]') from (
    select ${PERSON_COLUMNS} from users where id = any(own.people || v.user_id)) p) as people
  from v cross join (
    select '[' || coalesce(string_agg(card.json, ',' order by card.at desc, card.id desc), '') || ']' as chats,
      array_agg(distinct card.other_id) || array_agg(distinct card.author_id) as people
    from (
      select c.id, c.last_message_at as at, other.id as other_id, m.user_id as author_id, ${CARD_SQL} as json
      from v join chat_members me on me.user_id = v.user_id and me.place in ('group', 'personal') and not me.hidden
      join chats c on c.id = me.chat_id and c.archived_at is null ${TABLES_SQL}) card) own`

/** The active chats of a person as JSON, latest message first, before `withActs`; and the people whom they show, with the person. */
export interface OwnCards {
  chats: string
  people: PersonRow[]
}

export function ownCardsSql(userId: number, meet: string): RawBuilder<OwnCards> {
  return sql<OwnCards>`
    with v as materialized (
      select ${userId}::bigint as user_id, array(select tag_id from user_tags where user_id = ${userId}::bigint) as tag_ids,
        ${meet}::text as meet)
    ${sql.raw(OWN_SQL)}`
}

const SEEN_SQL = `
  select v.user_id, c.id as chat_id, ${CARD_SQL} as json
  from (select x.*, $2::text as meet, array(select tag_id from user_tags ut where ut.user_id = x.user_id) as tag_ids
    from unnest($1::bigint[], $3::bigint[]) as x (user_id, chat_id)) v
  join chats c on c.id = v.chat_id
  left join chat_members me on me.chat_id = c.id and me.user_id = v.user_id ${TABLES_SQL}`

type Reading = Pick<Context, 'db' | 'config'>

export interface Viewer {
  user_id: number
  role: Role
}

/** Between these control characters, which JSON text never holds unescaped, is the sort key of a chat for its reader. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: it is one
const MARKED = /\u0001([^\u0001]*)\u0001/g

/** Puts into cards what a reader of this role may do. */
export function withActs(json: string, role: Role): string {
  const acts = actsTable(role)
  return json.replaceAll(MARKED, (_, key: string) => acts.get(key) ?? '[]')
}

export interface SeenCard {
  user_id: number
  chat_id: number
  json: string
}

/** Chats as these people see them, as JSON. Whether they may is the caller's to judge. */
export async function readCards(
  ctx: Reading,
  seen: readonly (Viewer & { chat_id: number })[],
): Promise<SeenCard[]> {
  if (seen.length === 0) return []
  const values = [
    seen.map(({ user_id }) => user_id),
    meetPattern(ctx.config),
    seen.map(({ chat_id }) => chat_id),
  ]
  const rows = await read<SeenCard>(ctx.db, CompiledQuery.raw(SEEN_SQL, values))
  const roles = new Map(seen.map(({ user_id, role }) => [user_id, role]))
  return rows.map((row) => ({ ...row, json: withActs(row.json, roles.get(row.user_id) as Role) }))
}

export async function loadCard(ctx: Reading, viewer: Viewer, chatId: number): Promise<ChatCard> {
  const [card] = await readCards(ctx, [{ ...viewer, chat_id: chatId }])
  return JSON.parse((card as SeenCard).json) as ChatCard
}
