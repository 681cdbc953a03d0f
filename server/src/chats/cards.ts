/**
 * A hot path: cards of chats become JSON inside the statement that reads them. Nothing is counted by reading messages: a
 * card costs a handful of index look-ups.
 */
import type { ChatCard, Role } from '@parley/contract'
import { CompiledQuery } from 'kysely'
import type { Context } from '../platform/context.js'
import { type Db, read } from '../platform/db/index.js'
import { timeSql } from '../platform/db/json-sql.js'
import { onlySql } from '../platform/db/only-sql.js'
import { ACTS_KEY_SQL, actsTable } from './acts.js'
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

/** What everybody sees of the chat `c`. */
const SHARED_SQL = `'"id":' || c.id || ',"kind":"' || c.kind || case c.kind
      when 'personal' then '"' else '","name":' || to_json(c.name)::text end
    || ',"description":' || coalesce(to_json(left(c.description, ${DESCRIPTION_CHARACTERS}))::text, 'null')
    || ',"public":' || case when c.kind = 'thread' then coalesce(p.public, false) else c.public end
    || ',"archived":' || (c.archived_at is not null) || ',"owner_id":' || c.owner_id
    || ',"last_message_at":"' || ${timeSql('c.last_message_at')}
    || '","last_message_id":' || coalesce(c.last_message_id::text, 'null')
    || ',"last_message":' || ${LAST_MESSAGE_SQL}
    || ',"meet_room_url":' || to_json(replace(v.meet, '{room}', c.meet_slug))::text`

/** What a card shows besides its chat and its reader: from `v` (user_id), `c` and `me`. */
export const AROUND_SQL = `left join chat_rosters r on r.chat_id = c.id
  cross join lateral (
    select case when c.kind = 'personal' then ${otherSideSql('v.user_id')} end as id) other
  left join users o on o.id = other.id`

/** A personal chat is named by its other side. */
export const NAME_SQL = `case c.kind when 'personal' then left(coalesce(
  nullif(concat_ws(' ', nullif(o.first_name, ''), nullif(o.last_name, '')), ''), o.nickname, ''), 255) end`

/** The versions of the rows that facts change with; what changes a message changes the row of its chat too. */
export const STAMP_SQL = `c.xmin || ':' || me.row_version`

/** A control character that JSON text never holds unescaped. */
const BETWEEN = '\u0002'

/** What changes with the rows of the chat `c`, and of `me` in it, for `v` (user_id, tag_ids, meet). */
export const FACTS_SQL = `concat_ws(chr(${BETWEEN.charCodeAt(0)}), ${SHARED_SQL}, coalesce(m.user_id::text, ''), ${ACTS_KEY_SQL},
  ',"my_role":' || coalesce('"' || me.role || '"', 'null') || ',"read_message_id":' || coalesce(me.read_message_id::text, 'null')
  || ',"unread_count":' || unread.count || ',"mention_count":' || ${MENTIONS_SQL})`

/**
 * What `v` is in a chat, looked up by both: else all members may be read, where chats have few on average. The version has a name of its
 * own, since a token with limits on chats reads a view that has an `xmin` among its columns.
 */
export const memberSql = (chatId: string) => `lateral (
    select *, xmin as row_version from chat_members where chat_id = ${chatId} and user_id = v.user_id offset 0)`

export const LAST_MESSAGE_TABLE_SQL =
  'left join messages m on m.id = c.last_message_id and m.deleted_at is null'

/** What facts are read from. The counter is fenced, as it is used twice. */
export const FACTS_TABLES_SQL = `left join threads th on c.kind = 'thread' and th.chat_id = c.id
  left join chats p on p.id = th.message_chat_id
  left join ${memberSql('p.id')} mine on true
  ${LAST_MESSAGE_TABLE_SQL}
  cross join lateral (select ${UNREAD_SQL} as count offset 0) unread`

const SEEN_SQL = `
  select v.user_id, c.id as chat_id, ${STAMP_SQL} as stamp, ${FACTS_SQL} as facts,
    other.id as other_id, ${NAME_SQL} as name, coalesce(r.members_count, 0) as members_count,
    array(select t.tag_id from chat_tags t where t.chat_id = c.id order by t.tag_id) as chat_tag_ids
  from (select x.*, $2::text as meet, array(select tag_id from user_tags ut where ut.user_id = x.user_id) as tag_ids
    from unnest($1::bigint[], $3::bigint[]) as x (user_id, chat_id)) v
  join chats c on c.id = v.chat_id
  left join ${memberSql('c.id')} me on true ${FACTS_TABLES_SQL} ${AROUND_SQL}`

export interface CardFacts {
  /** What everybody sees, and what the reader has with the chat, as JSON without braces at its ends. */
  shared: string
  own: string
  /** Of what the reader may do. */
  acts_key: string
  /** Of the last message. */
  author_id: number | null
}

export function factsOf(text: string): CardFacts {
  const [shared = '', author, acts_key = '', own = ''] = text.split(BETWEEN)
  return { shared, own, acts_key, author_id: author ? Number(author) : null }
}

/** What changes otherwise. */
export interface CardSurroundings {
  other_id: number | null
  name: string | null
  members_count: number | string
  chat_tag_ids: readonly number[]
}

export interface CardRow extends CardSurroundings {
  user_id: number
  chat_id: number
  facts: string
  /** Another one when the facts have changed; null of those who are not in the chat. */
  stamp: string | null
}

export interface Viewer {
  user_id: number
  role: Role
}

type Seen = Pick<Viewer, 'user_id'> & { chat_id: number }

/** What these people see of chats. Whether they may is the caller's to judge. */
export async function listCardRows(db: Db, meet: string, seen: readonly Seen[]): Promise<CardRow[]> {
  if (seen.length === 0) return []
  const [users, chats] = [seen.map(({ user_id }) => user_id), seen.map(({ chat_id }) => chat_id)]
  return read(db, CompiledQuery.raw(SEEN_SQL, [users, meet, chats]))
}

/** A card as JSON for a reader of this role. */
export function cardText({ shared, own, acts_key }: CardFacts, around: CardSurroundings, role: Role): string {
  const { other_id, name, members_count, chat_tag_ids } = around
  const named = name === null ? '' : `,"name":${JSON.stringify(name)}`
  return `{${shared}${own}${named},"may":${actsTable(role).get(acts_key) ?? '[]'},"personal_user_id":${other_id},"members_count":${members_count},"group_tag_ids":[${chat_tag_ids.join()}]}`
}

type Reading = Pick<Context, 'db' | 'config'>

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
  const rows = await listCardRows(ctx.db, meetPattern(ctx.config), seen)
  const roles = new Map(seen.map(({ user_id, role }) => [user_id, role]))
  return rows.map((row) => {
    const { user_id, chat_id } = row
    return { user_id, chat_id, json: cardText(factsOf(row.facts), row, roles.get(user_id) as Role) }
  })
}

export async function loadCard(ctx: Reading, viewer: Viewer, chatId: number): Promise<ChatCard> {
  const [card] = await readCards(ctx, [{ ...viewer, chat_id: chatId }])
  return JSON.parse((card as SeenCard).json) as ChatCard
}
