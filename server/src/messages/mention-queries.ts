import { CompiledQuery, sql } from 'kysely'
import type { Candidate } from '../chats/member-queries.js'
import type { Actor } from '../platform/actor.js'
import { type Db, read, type Tx } from '../platform/db/index.js'
import { seenBy } from '../users/queries.js'

/** Nicknames of those among these people whom the actor sees. */
export function listNicknamesFor(
  db: Db,
  actor: Actor,
  ids: readonly number[],
): Promise<{ id: number; nickname: string }[]> {
  return read(
    db,
    sql<{ id: number; nickname: string }>`
    select u.id, u.nickname from users u
    where u.id = any(${ids}) and u.deleted_at is null and ${seenBy(actor)}`,
  )
}

/**
 * Writes down whom messages name: people, tags, and everybody. `messages` selects id, chat_id, user_id (the author) and
 * names, as `calledNames` gives them; `here` is the parameter with those who are present. Where nobody knows who is, it
 * is null, and `@here` calls everybody.
 */
export function insertMentionsSql(messages: string, here: string): string {
  return `insert into mentions (message_id, chat_id, user_id, tag_id)
    with called as materialized (
      select m.id, m.chat_id, m.user_id as author_id, name
      from (${messages}) m cross join unnest(string_to_array(m.names, E'\\n')) as name)
    select c.id, c.chat_id, u.id, null::bigint from called c
      join users u on lower(u.nickname) = c.name and u.deleted_at is null and not u.bot and u.id <> c.author_id
    union select c.id, c.chat_id, null, g.id from called c join group_tags g on lower(replace(g.name, ' ', '')) = c.name
    union select c.id, c.chat_id, m.user_id, null from called c
      join chat_members m on m.chat_id = c.chat_id and m.user_id = any(${here}::bigint[]) and m.user_id <> c.author_id
      where c.name = 'here'
    union select c.id, c.chat_id, null, null from called c
      where c.name = 'all' or (c.name = 'here' and ${here}::bigint[] is null)`
}

const INSERT_MENTIONS = insertMentionsSql(
  'select $1::bigint as id, $2::bigint as chat_id, $3::bigint as user_id, $4::text as names',
  '$5',
)

/** The same for one message. */
export async function insertMentions(
  tx: Tx,
  { id, chat_id, user_id }: { id: number; chat_id: number; user_id: number },
  names: string,
  here: number[] | null,
) {
  await tx.executeQuery(CompiledQuery.raw(INSERT_MENTIONS, [id, chat_id, user_id, names, here]))
}

type Named = Pick<Candidate, 'id' | 'bot' | 'creator_id' | 'who_can_add'>

/** People and bots whom the actor sees, with these nicknames or tags in lower case. */
export function listNamed(db: Db, actor: Actor, names: readonly string[]): Promise<Named[]> {
  return read(
    db,
    sql<Named>`
    select u.id, u.bot, b.creator_id, b.who_can_add
    from users u left join bots b on b.user_id = u.id
    where u.id in (
        select id from users where lower(nickname) = any(${names}) and deleted_at is null
        union
        select ut.user_id from group_tags g join user_tags ut on ut.tag_id = g.id
        where lower(replace(g.name, ' ', '')) = any(${names}))
      and u.deleted_at is null and not u.suspended and ${seenBy(actor)}`,
  )
}
