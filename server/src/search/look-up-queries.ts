import type { ChatCommand, RosterEntry } from '@parley/contract'
import { type RawBuilder, sql } from 'kysely'
import type { Actor } from '../platform/actor.js'
import { type Db, read } from '../platform/db/index.js'
import { keyset, type Paging } from '../platform/http/page.js'
import { seenBy } from '../users/queries.js'

/** Whether each pattern begins a word of the text. */
export function fits(text: RawBuilder<unknown>, patterns: readonly string[]): RawBuilder<boolean> {
  if (patterns.length === 0) return sql<boolean>`true`
  return sql<boolean>`' ' || lower(translate(${text}, '._-', '   ')) like all(${patterns}::text[])`
}

/** Which of these people the actor sees; employees also see who was deleted. */
export async function listSeenIds(
  db: Db,
  actor: Pick<Actor, 'user_id' | 'role'>,
  ids: readonly number[],
): Promise<Set<number>> {
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

/** The page within one group of rows, of which groups before it come first: all of it, what lies beyond the anchor, or nothing. */
export function pageWithin(paging: Paging, group: number, anchor: { group: number; value: string | null }) {
  const { position } = paging
  const { at, order, back } = position
  if (!at) return paging
  const ahead = ((order === 'asc') !== back ? 1 : -1) * (group - anchor.group)
  if (ahead < 0) return null
  return { ...paging, position: { ...position, at: ahead > 0 ? null : { value: anchor.value, id: at.id } } }
}

/** People before bots, then by name: the expression of the index users_look_up. */
const NAME_RANK = sql`(case when u.bot then '1' else '0' end
  || lower(coalesce(u.first_name || ' ', '') || coalesce(u.last_name || ' ', '') || u.nickname))`

/** Up to so many members are read and sorted; more are looked for among all people, in the order of names. */
const SORTED_MEMBERS = 2000

/** So many rows, in the order of the list, are looked through before an index is asked for few letters. */
export const WINDOW = sql.lit(1000)

/** What was typed. */
export interface Typed {
  /** Patterns that the name has to fit. */
  patterns: readonly string[]
  /** A condition on the words of names that an index answers; null where nothing was typed that it knows. */
  words: string | null
  /** Few letters, which many names begin with. */
  common: boolean
}

/** Which people are looked up. */
export interface LookedUp extends Typed {
  /** Members of these chats come first. */
  chat_ids: readonly number[]
}

/** Gives what the first of these lists finds that fills the page, or else what the last one finds. */
export async function firstFull<T>(paging: Paging, lists: readonly (() => Promise<T[]>)[]): Promise<T[]> {
  let rows: T[] = []
  for (const list of lists) {
    rows = await list()
    if (rows.length > paging.limit) break
  }
  return rows
}

/** The words of people that begin with these; null where they hold neither letters nor digits. */
export async function findPrefixQuery(db: Db, prefixes: readonly string[]): Promise<string | null> {
  const rows = await read(
    db,
    sql<{ query: string | null }>`select nullif(search_prefixes(${prefixes}::text[])::text, '') as query`,
  )
  return rows[0]?.query ?? null
}

/** Of a chat, and of the one that it hangs in. */
async function countMembers(db: Db, chatIds: readonly number[]): Promise<number> {
  const rows = await read(
    db,
    sql<{ count: number }>`
    select coalesce(sum(members_count), 0)::int as count from chat_rosters
    where chat_id in (${chatIds[0]}, ${chatIds.at(-1)})`,
  )
  return rows[0]?.count ?? 0
}

interface Group {
  /** A condition that those of this group of the list have. */
  belongs: RawBuilder<unknown>
  /** Whether they are so few that all of them are read. */
  few: boolean
}

/** Members of the chats, and everybody else; without chats everybody is in the second group. */
async function groupsOf(db: Db, chatIds: readonly number[]): Promise<(Group | null)[]> {
  if (chatIds.length === 0) return [null, { belongs: sql`true`, few: false }]
  const ids = sql`any(${chatIds}::bigint[])`
  const member = sql`(select true from chat_members m where m.chat_id = ${ids} and m.user_id = u.id limit 1)`
  const few = (await countMembers(db, chatIds)) <= SORTED_MEMBERS
  const listed = sql`u.id in (select m.user_id from chat_members m where m.chat_id = ${ids})`
  return [
    { belongs: few ? listed : member, few },
    { belongs: sql`${member} is null`, few: false },
  ]
}

/** People and bots who can be written to; members of these chats first, then people before bots, then by name. */
export async function listPeopleByPrefixFor(
  db: Db,
  actor: Actor,
  { patterns, words, common, chat_ids }: LookedUp,
  paging: Paging,
): Promise<Ranked[]> {
  const active = sql`u.deleted_at is null and not u.suspended`
  // The words come first and each person is looked up: a plan that walks everybody by name would compare the words of each.
  const found = words
    ? sql`(select u.* from user_search s cross join lateral (select * from users u where u.id = s.user_id offset 0) u
        where s.words @@ ${words}::tsquery) u`
    : sql`users u`
  const list = ({ belongs, few }: Group, group: number, within: Paging) => {
    const { where, orderBy, limit } = keyset(within, { id: sql`u.id`, value: NAME_RANK, cast: 'text' })
    const next = sql`(select * from users u where ${active} and ${where} order by ${orderBy} limit ${WINDOW}) u`
    const from = (people: RawBuilder<unknown>) => () =>
      read(
        db,
        sql<Ranked>`
        select u.id, ${sql.lit(String(group))} || ${NAME_RANK} as rank from ${people}
        where ${active} and ${belongs} and ${seenBy(actor)} and ${fits(FULL_NAME, patterns)} and ${where}
        order by ${orderBy} limit ${limit}`,
      )
    return firstFull(paging, common && !few ? [from(next), from(found)] : [from(found)])
  }
  const { at, order, back } = paging.position
  const anchor = String(at?.value ?? '')
  const groups = [...(await groupsOf(db, chat_ids)).entries()]
  const rows: Ranked[] = []
  for (const [place, group] of (order === 'asc') === back ? groups.reverse() : groups) {
    const within = pageWithin(paging, place, { group: Number(anchor.slice(0, 1)), value: anchor.slice(1) })
    if (group && within && rows.length <= paging.limit) rows.push(...(await list(group, place, within)))
  }
  return rows
}

export interface RosterRow {
  id: number
  role: RosterEntry['role']
  rank: number
}

const ROLES = ['owner', 'admin', 'editor', 'member']

/**
 * Members with their roles, those with more say first. Each role is read from its own range of an index, with one look-up for each
 * member: joined, a plan for all values reads every person.
 */
export async function listRosterRows(
  db: Db,
  chatId: number,
  patterns: readonly string[],
  paging: Paging,
): Promise<RosterRow[]> {
  const page = keyset(paging, { id: sql`m.id`, value: sql`m.rank` })
  const parts = ROLES.flatMap((role, rank) => {
    const within = pageWithin(paging, rank, { group: Number(paging.position.at?.value), value: null })
    if (!within) return []
    const { where, orderBy, limit } = keyset(within, { id: sql`m.user_id` })
    return sql`(select m.user_id as id, m.role, ${sql.lit(rank)} as rank from chat_members m cross join lateral (
        select from users u where u.id = m.user_id and not u.suspended and u.deleted_at is null and ${fits(FULL_NAME, patterns)}
        offset 0) u
      where m.chat_id = ${chatId} and m.role = ${sql.lit(role)} and ${where} order by ${orderBy} limit ${limit})`
  })
  return read(
    db,
    sql<RosterRow>`
    select m.id, m.role, m.rank from (${sql.join(parts, sql` union all `)}) m
    order by ${page.orderBy} limit ${page.limit}`,
  )
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
