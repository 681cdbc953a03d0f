import type { QueryOf, searchChats, searchUsers } from '@parley/contract'
import { type RawBuilder, sql } from 'kysely'
import { otherSideSql } from '../chats/personal.js'
import { openToSql } from '../chats/read-sql.js'
import { type Actor, isAdmin } from '../platform/actor.js'
import { type Db, read } from '../platform/db/index.js'
import { PUBLIC_BOT_SQL, seenBy } from '../users/queries.js'
import type { Span } from './read.js'
import type { Named } from './score.js'

export interface NameQuery {
  words: string[]
  /** With typos, and without. */
  wide: string
  strict: string
}

async function readNameQuery(db: Db, text: string, marks: string[]): Promise<NameQuery> {
  const rows = await read(
    db,
    sql<NameQuery>`
    select array(select word from unnest(string_to_array(search_clean(left(${text}, 1000)), ' ')) as word
        where word <> '') as words,
      search_query(${text}, true, ${marks}::text[])::text as wide,
      search_query(${text}, false, ${marks}::text[])::text as strict`,
  )
  return rows[0] as NameQuery
}

/** Mail counts for those who see the mail of others. */
async function marksFor(db: Db, actor: Actor): Promise<string[]> {
  if (isAdmin(actor)) return ['#', '@']
  const { show_personal_data } = await db
    .selectFrom('workspace')
    .select('show_personal_data')
    .executeTakeFirstOrThrow()
  return show_personal_data && actor.role !== 'multi_guest' ? ['#', '@'] : ['#']
}

export interface Candidate extends Named {
  id: number
  created_at: Date
  /** What it is called, folded, for sorting. */
  name: string
}

export interface FoundUser extends Candidate {
  suspended: boolean
}

function within(span: Span, column: RawBuilder<unknown>): RawBuilder<unknown> {
  const from = span.from ? sql`${column} >= ${span.from}` : sql`true`
  const to = span.to ? sql`${column} <= ${span.to}` : sql`true`
  return sql`${from} and ${to}`
}

const wordsOf = (text: RawBuilder<unknown>) => sql`string_to_array(search_clean(${text}), ' ')`
const fullName = (alias: string) =>
  sql.raw(`coalesce(nullif(concat_ws(' ', ${alias}.first_name, ${alias}.last_name), ''), ${alias}.nickname)`)
const names = (alias: string) => sql.raw(`concat_ws(' ', ${alias}.first_name, ${alias}.last_name)`)

/** People whose names or other words could match; a typo is to be looked at more closely. Bots: public ones. */
export async function listUserCandidates(
  db: Db,
  actor: Actor,
  query: QueryOf<typeof searchUsers>,
  span: Span,
): Promise<{ words: string[]; rows: FoundUser[] }> {
  const marks = await marksFor(db, actor)
  const { words, wide, strict } = await readNameQuery(db, query.query, marks)
  const roles = (query.company_roles ?? []).flatMap((role) =>
    role === 'admin' ? ['admin', 'owner'] : [role],
  )
  const mail = marks.includes('@') ? sql`u.email` : sql`null`
  const rows = await read(
    db,
    sql<FoundUser>`
    select u.id, u.created_at, u.suspended, search_fold(${fullName('u')}) as name,
      ${wordsOf(names('u'))} as name_words,
      ${wordsOf(sql`concat_ws(' ', u.nickname, u.title, u.department, ${mail})`)} as other_words,
      s.words @@ ${strict}::tsquery as strict
    from user_search s join users u on u.id = s.user_id
    where s.words @@ ${wide}::tsquery and u.deleted_at is null and ${seenBy(actor)}
      and (not u.bot or u.id in (select b.user_id from bots b where ${sql.raw(PUBLIC_BOT_SQL)}))
      and (cardinality(${roles}::text[]) = 0 or (u.role = any(${roles}::text[]) and not u.bot))
      and ${within(span, sql`u.created_at`)}`,
  )
  return { words, rows }
}

/** Conversations and channels that are open or the actor's own. */
function groupCandidates(actor: Actor, { wide, strict }: NameQuery, filter: RawBuilder<unknown>) {
  return sql<Candidate>`
    select c.id, c.created_at, search_fold(c.name) as name, ${wordsOf(sql`c.name`)} as name_words,
      '{}'::text[] as other_words, s.words @@ ${strict}::tsquery as strict
    from chat_search s join chats c on c.id = s.chat_id
    where s.words @@ ${wide}::tsquery and ${filter}
      and (${openToSql(actor, 'c')} or exists (
        select from chat_members me where me.chat_id = c.id and me.user_id = ${actor.user_id}))`
}

/** Personal chats of the actor, by the name of the other side. */
function personalCandidates(actor: Actor, { wide, strict }: NameQuery, filter: RawBuilder<unknown>) {
  return sql<Candidate>`
    select c.id, c.created_at, search_fold(${fullName('u')}) as name, ${wordsOf(names('u'))} as name_words,
      '{}'::text[] as other_words, s.words @@ ${strict}::tsquery as strict
    from chat_members me join chats c on c.id = me.chat_id and c.kind = 'personal'
    join users u on u.id = ${sql.raw(otherSideSql('me.user_id'))}
    join user_search s on s.user_id = u.id
    where me.user_id = ${actor.user_id} and s.words @@ ${wide}::tsquery and ${filter}`
}

export async function listChatCandidates(
  db: Db,
  actor: Actor,
  query: QueryOf<typeof searchChats>,
  span: Span,
): Promise<{ words: string[]; rows: Candidate[] }> {
  // Threads have no names.
  if (query.chat_subtype === 'thread') return { words: [], rows: [] }
  const named = await readNameQuery(db, query.query, [])
  const live = query.active === undefined ? sql`true` : sql`(c.archived_at is null) = ${query.active}`
  const filter = sql`${live} and ${within(span, sql`c.created_at`)}`
  const candidates = query.personal ? personalCandidates : groupCandidates
  const rows = await read(db, candidates(actor, named, filter))
  return { words: named.words, rows }
}
