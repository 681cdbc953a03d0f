import { extractMentions, rewriteUserMentions } from '@parley/contract'
import { CompiledQuery, sql } from 'kysely'
import type { Candidate } from '../chats/member-queries.js'
import { mayAddBot } from '../chats/member-rules.js'
import type { Actor } from '../platform/actor.js'
import type { Context } from '../platform/context.js'
import { type Db, read, type Tx } from '../platform/db/index.js'
import { seenBy } from '../users/queries.js'

/** Turns `<@id>` into `@nickname`; ids that name nobody the author sees stay as typed. */
export async function normaliseMentions(db: Db, actor: Actor, content: string): Promise<string> {
  const ids = extractMentions(content).user_ids
  if (ids.length === 0) return content
  const rows = await read(
    db,
    sql<{ id: number; nickname: string }>`
    select u.id, u.nickname from users u
    where u.id = any(${ids}) and u.deleted_at is null and ${seenBy(actor)}`,
  )
  return rewriteUserMentions(content, new Map(rows.map(({ id, nickname }) => [id, nickname])))
}

/** The names that a text calls, lower case, one a line; empty where it calls nobody. */
export function calledNames(content: string): string {
  if (!content.includes('@')) return ''
  return [...new Set(extractMentions(content).names.map((name) => name.toLowerCase()))].join('\n')
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

/** Who is present, asked only where a text calls them. */
export function presentFor({ online }: Pick<Context, 'online'>, names: readonly string[]): number[] | null {
  return names.some((list) => list.includes('here')) ? online.active() : []
}

/** The same for one message. */
export async function writeMentions(
  tx: Tx,
  ctx: Context,
  message: { id: number; chat_id: number; user_id: number; content: string },
) {
  const names = calledNames(message.content)
  if (names === '') return
  const { id, chat_id, user_id } = message
  const here = presentFor(ctx, [names])
  await tx.executeQuery(CompiledQuery.raw(INSERT_MENTIONS, [id, chat_id, user_id, names, here]))
}

export interface Mentioned {
  /** People, by name or by a tag they have. */
  user_ids: number[]
  /** Bots by name that this author may add to chats. */
  bot_ids: number[]
}

/** Who a text names, by nickname or by tag. `@all` and `@here` name nobody in particular. */
export async function findMentioned(db: Db, actor: Actor, content: string): Promise<Mentioned> {
  const { names } = extractMentions(content)
  if (names.length === 0) return { user_ids: [], bot_ids: [] }
  const lowered = names.map((name) => name.toLowerCase())
  const rows = await read(
    db,
    sql<Pick<Candidate, 'id' | 'bot' | 'creator_id' | 'who_can_add'>>`
    select u.id, u.bot, b.creator_id, b.who_can_add
    from users u left join bots b on b.user_id = u.id
    where u.id in (
        select id from users where lower(nickname) = any(${lowered}) and deleted_at is null
        union
        select ut.user_id from group_tags g join user_tags ut on ut.tag_id = g.id
        where lower(replace(g.name, ' ', '')) = any(${lowered}))
      and u.deleted_at is null and not u.suspended and ${seenBy(actor)}`,
  )
  return {
    user_ids: rows.filter(({ bot }) => !bot).map(({ id }) => id),
    bot_ids: rows.filter((row) => row.bot && mayAddBot(actor, row)).map(({ id }) => id),
  }
}
