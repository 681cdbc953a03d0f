import type { ChatCommand, ChatMatch, RosterEntry } from '@parley/contract'
import { type RawBuilder, sql } from 'kysely'
import { otherSideSql } from '../chats/personal.js'
import { openToSql } from '../chats/read-sql.js'
import type { Actor } from '../platform/actor.js'
import { type Db, read } from '../platform/db/index.js'
import { keyset, type Paging } from '../platform/http/page.js'
import { seenBy } from '../users/queries.js'

/** Whether each pattern begins a word of the text. */
function fits(text: RawBuilder<unknown>, patterns: readonly string[]): RawBuilder<boolean> {
  if (patterns.length === 0) return sql<boolean>`true`
  return sql<boolean>`' ' || lower(translate(${text}, '._-', '   ')) like all(${patterns}::text[])`
}

/** Which of these people the actor sees; employees also see who was deleted. */
export async function listSeenIds(db: Db, actor: Actor, ids: readonly number[]): Promise<Set<number>> {
  const rows = await read(
    db,
    sql<{ id: number }>`
    select u.id from users u where u.id = any(${ids}::bigint[]) and ${seenBy(actor)}`,
  )
  return new Set(rows.map(({ id }) => id))
}

const FULL_NAME = sql`concat_ws(' ', u.first_name, u.last_name, u.nickname)`

export interface Ranked {
  id: number
  /** What the list is sorted by. */
  rank: string
}

/** People and bots who can be written to; members of these chats first, then people before bots, then by name. */
export async function listPeopleByPrefixFor(
  db: Db,
  actor: Actor,
  patterns: readonly string[],
  chatIds: readonly number[],
  paging: Paging,
): Promise<Ranked[]> {
  const outside = sql`case when exists (
    select from chat_members m where m.chat_id = any(${chatIds}::bigint[]) and m.user_id = u.id) then 0 else 1 end`
  const page = keyset(paging, { id: sql`u.id`, value: sql`u.rank`, cast: 'text' })
  return read(
    db,
    sql<Ranked>`
    select u.id, u.rank from (
      select u.id, concat(${outside}, u.bot::int, lower(${FULL_NAME})) as rank from users u
      where u.deleted_at is null and not u.suspended and ${seenBy(actor)} and ${fits(FULL_NAME, patterns)}) u
    where ${page.where} order by ${page.orderBy} limit ${page.limit}`,
  )
}

export interface RosterRow {
  id: number
  role: RosterEntry['role']
  rank: number
}

const ROLES = ['owner', 'admin', 'editor', 'member']

/** Members with their roles, those with more say first; each role is read from its own range of an index. */
export async function listRosterRows(
  db: Db,
  chatId: number,
  patterns: readonly string[],
  paging: Paging,
): Promise<RosterRow[]> {
  const page = keyset(paging, { id: sql`m.id`, value: sql`m.rank`, cast: 'bigint' })
  const part = (role: string, rank: number) => sql`(
    select m.* from (select m.user_id as id, m.role, ${sql.raw(String(rank))}::bigint as rank from chat_members m
        join users u on u.id = m.user_id and not u.suspended and u.deleted_at is null and ${fits(FULL_NAME, patterns)}
        where m.chat_id = ${chatId} and m.role = ${sql.lit(role)}) m
      where ${page.where} order by ${page.orderBy} limit ${page.limit})`
  return read(
    db,
    sql<RosterRow>`
    select m.id, m.role, m.rank::int from (${sql.join(ROLES.map(part), sql` union all `)}) m
    order by ${page.orderBy} limit ${page.limit}`,
  )
}

export interface ChatMatchRow extends ChatMatch {
  /** What the list is sorted by. */
  rank: string
}

/** Own chats and, for employees, open ones, or open ones alone; a personal chat goes by the name of the other side. */
export async function listChatMatchesFor(
  db: Db,
  actor: Actor,
  patterns: readonly string[],
  { open = false, archived = false }: { open?: boolean; archived?: boolean },
  paging: Paging,
): Promise<ChatMatchRow[]> {
  const name = sql`case when c.kind = 'personal'
    then coalesce(nullif(concat_ws(' ', u.first_name, u.last_name), ''), u.nickname) else c.name end`
  const mine = sql`me.user_id is not null`
  const seen = open
    ? sql`c.public and (${mine} or ${openToSql(actor, 'c')})`
    : sql`(${mine} or ${openToSql(actor, 'c')})`
  const first = open ? sql`0` : sql`(${mine})::int`
  const page = keyset(paging, { id: sql`id`, value: sql`rank`, cast: 'text' })
  const rows = await read(
    db,
    sql<ChatMatchRow>`
    with found as (
      select c.id, c.kind, ${name} as name, c.public, u.id as personal_user_id, me.user_id is not null as member,
        concat(${first}, to_char(c.last_message_at, 'YYYYMMDDHH24MISSUS')) as rank
      from chats c
      left join chat_members me on me.chat_id = c.id and me.user_id = ${actor.user_id}
      left join users u on c.kind = 'personal' and u.id = ${sql.raw(otherSideSql('me.user_id'))}
      where c.kind <> 'thread' and (c.archived_at is not null) = ${archived} and ${seen}
        and ${fits(sql`${name} || ' ' || coalesce(u.nickname, '')`, patterns)}
    ), matches as (
      select * from found where ${page.where} order by ${page.orderBy} limit ${page.limit})
    select id, kind, name, public, personal_user_id, member, rank,
      (select count(*) from chat_members m where m.chat_id = matches.id) as members_count
    from matches order by ${page.orderBy}`,
  )
  return rows
}

export async function listCommands(db: Db, chatIds: readonly number[]): Promise<ChatCommand[]> {
  const rows = await read(
    db,
    sql<ChatCommand>`
    select distinct command, b.user_id as bot_id
    from chat_members m join bots b on b.user_id = m.user_id
    join users u on u.id = b.user_id and u.deleted_at is null and not u.suspended
    cross join unnest(b.commands) as command
    where m.chat_id = any(${chatIds}::bigint[]) order by command, bot_id`,
  )
  return rows
}
