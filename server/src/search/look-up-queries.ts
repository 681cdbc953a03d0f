import type { ChatCommand, ChatMatch } from '@parley/contract'
import { type RawBuilder, sql } from 'kysely'
import { otherSideSql } from '../chats/personal.js'
import { openToSql } from '../chats/read-sql.js'
import type { Actor } from '../platform/actor.js'
import { type Db, read } from '../platform/db/index.js'
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

/** People and bots who can be written to; members of these chats first, then by name. */
export async function listPeopleByPrefixFor(
  db: Db,
  actor: Actor,
  patterns: readonly string[],
  chatIds: readonly number[],
  limit: number,
): Promise<number[]> {
  const inChat = sql`exists (
    select from chat_members m where m.chat_id = any(${chatIds}::bigint[]) and m.user_id = u.id)`
  const rows = await read(
    db,
    sql<{ id: number }>`
    select u.id from users u
    where u.deleted_at is null and not u.suspended and ${seenBy(actor)} and ${fits(FULL_NAME, patterns)}
    order by ${inChat} desc, u.bot, lower(${FULL_NAME}), u.id limit ${limit}`,
  )
  return rows.map(({ id }) => id)
}

/** Own chats and, for employees, open ones; a personal chat goes by the name of the other side. */
export async function listChatMatchesFor(
  db: Db,
  actor: Actor,
  patterns: readonly string[],
  limit: number,
): Promise<ChatMatch[]> {
  const name = sql`case when c.kind = 'personal'
    then coalesce(nullif(concat_ws(' ', u.first_name, u.last_name), ''), u.nickname) else c.name end`
  const rows = await read(
    db,
    sql<ChatMatch>`
    with matches as (
      select c.id, c.kind, ${name} as name, c.public, u.id as personal_user_id, me.user_id is not null as member,
        c.last_message_at
      from chats c
      left join chat_members me on me.chat_id = c.id and me.user_id = ${actor.user_id}
      left join users u on c.kind = 'personal' and u.id = ${sql.raw(otherSideSql('me.user_id'))}
      where c.kind <> 'thread' and c.archived_at is null and (me.user_id is not null or ${openToSql(actor, 'c')})
        and ${fits(sql`${name} || ' ' || coalesce(u.nickname, '')`, patterns)}
      order by member desc, c.last_message_at desc, c.id desc limit ${limit})
    select id, kind, name, public, personal_user_id, member,
      (select count(*) from chat_members m where m.chat_id = matches.id) as members_count
    from matches order by member desc, last_message_at desc, id desc`,
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
