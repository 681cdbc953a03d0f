import { type RawBuilder, sql } from 'kysely'
import type { FileRow } from '../files/queries.js'
import { entitySql, messageJsonSql } from '../messages/message-sql.js'
import type { Actor } from '../platform/actor.js'
import { type Autocommit, type Db, read } from '../platform/db/index.js'
import type { Paging } from '../platform/http/page.js'
import { COUNTED_AT_MOST } from '../platform/http/search-total.js'
import type { Found, Span } from './read.js'

export interface MessageFilter {
  chat_ids?: number[]
  user_ids?: number[]
  active?: boolean
  span: Span
}

/** A query of a person as the words of messages that it means. */
export interface Wanted {
  /** For each of its words: those that it may be a form or a part of, and those that share its form alone. */
  words: { any: string[]; forms: string[] }[]
  /** All of its words as they are written, and those of them that stand in quotes. */
  exact: string[]
  quoted: string[]
  /** Patterns that the clean text has to hold: what stands in quotes. */
  phrases: string[]
  /** Keys of the chats the actor is in; one too many says that there are more. */
  chats: string[]
}

/** Splits off what stands in quotes; a quote without its pair is no quote. */
export function splitQuery(text: string): { words: string; phrases: string[] } {
  const phrases: string[] = []
  const words = text.replaceAll(/[«“”„]|»/g, '"').replaceAll(/"([^"]*)"/g, (_, phrase: string) => {
    phrases.push(phrase)
    return ' '
  })
  return { words, phrases }
}

/** Beyond so many chats it is cheaper to look at each match than to look the chats up in the index. */
const NARROWED_CHATS = 100

export async function readWanted(db: Db, actor: Actor, text: string): Promise<Wanted> {
  const { words, phrases } = splitQuery(text)
  const cleanWords = (value: string) => sql`
    array(select distinct left(word, 100) from unnest(string_to_array(search_clean(left(${value}, 1000)), ' ')) as word
      where word <> '')`
  const known = (query: RawBuilder<unknown>) => sql`
    array(select distinct known.word from search_words known where search_lexemes(known.word) @@ ${query})`
  const rows = await read(
    db,
    sql<Wanted>`
    select ${cleanWords(`${words} ${phrases.join(' ')}`)} as exact, ${cleanWords(phrases.join(' '))} as quoted,
      coalesce((
        select json_agg(json_build_object('any', ${known(sql`search_query(asked.word, false, '{}')`)},
          'forms', ${known(sql`plainto_tsquery('parley_forms', asked.word)`)}))
        from unnest(${cleanWords(words)}) as asked (word)), '[]') as words,
      array(select '% ' || search_clean(p) || ' %' from unnest(${phrases}::text[]) as p where search_clean(p) <> '')
        as phrases,
      array(select '#' || chat_id from chat_members where user_id = ${actor.user_id} limit ${NARROWED_CHATS + 1})
        as chats`,
  )
  return rows[0] as Wanted
}

/** A match of a better kind is worth this much freshness. */
const BETTER_S = 90 * 86_400

const KEYS = sql`search_keys(m.content, m.file_names, m.chat_id, m.root_chat_id, m.user_id)`
const hasAny = (keys: readonly string[]) => sql`${KEYS} && ${keys}::text[]`
const hasAll = (keys: readonly string[]) => sql`${KEYS} @> ${keys}::text[]`
/** No quoted words, no condition: `@> '{}'` matches every row. */
const hasQuoted = ({ quoted }: Wanted) => (quoted.length > 0 ? [hasAll(quoted)] : [])
const both = (parts: readonly RawBuilder<unknown>[]) => sql.join([...parts], sql` and `)

/** Messages that the index holds: those that were not deleted, and are not the system's. */
const LIVE = sql`m.deleted_at is null and not m.system`

/** What the index knows of who may see a message, and of the chats and authors that are asked for. */
function narrowed({ chats }: Wanted, { chat_ids, user_ids }: MessageFilter): RawBuilder<unknown>[] {
  const parts = []
  if (chats.length <= NARROWED_CHATS) parts.push(hasAny(chats))
  if (chat_ids?.length) parts.push(hasAny(chat_ids.map((id) => `#${id}`)))
  if (user_ids?.length) parts.push(hasAny(user_ids.map((id) => `@${id}`)))
  return parts
}

/** What is left to look at in each match. */
function filtered(actor: Actor, wanted: Wanted, filter: MessageFilter): RawBuilder<unknown>[] {
  const { active, span } = filter
  const parts = []
  if (wanted.chats.length > NARROWED_CHATS) {
    const mine = sql`(select chat_id from chat_members where user_id = ${actor.user_id})`
    parts.push(sql`(m.chat_id in ${mine} or m.root_chat_id in ${mine})`)
  }
  if (wanted.phrases.length > 0)
    parts.push(
      sql`' ' || search_clean(concat_ws(' ', m.content, m.file_names)) || ' ' like all (${wanted.phrases}::text[])`,
    )
  if (span.from) parts.push(sql`m.created_at >= ${span.from}`)
  if (span.to) parts.push(sql`m.created_at <= ${span.to}`)
  if (active !== undefined) {
    parts.push(sql`m.root_chat_id in (
      select c.id from chats c where c.archived_at is ${sql.raw(active ? 'null' : 'not null')})`)
  }
  return parts
}

/** Points of a match: its words as they are written, as forms, or as parts. Looked up in the index once for all. */
function pointsOf(wanted: Wanted, narrow: RawBuilder<unknown>[]): RawBuilder<unknown> {
  const among = (parts: RawBuilder<unknown>[]) =>
    sql`m.id in (select m.id from messages m where ${both([...parts, ...narrow, LIVE])})`
  const forms = [...hasQuoted(wanted), ...wanted.words.map((word) => hasAny(word.forms))]
  return sql`case when ${among([hasAll(wanted.exact)])} then 2 when ${among(forms)} then 1 else 0 end`
}

export interface FoundMessages extends Found {
  /** How many are on this page. */
  count: number
  /** The messages of the page as JSON text, for `withFiles`. */
  json: string
  files: FileRow[] | null
}

const NOTHING: FoundMessages = {
  counted: 0,
  count: 0,
  top: undefined,
  bottom: undefined,
  more: false,
  behind: false,
  json: '',
  files: null,
}

export interface Search {
  wanted: Wanted
  filter: MessageFilter
  paging: Paging
  app_url: string
}

/** Finds messages in the chats and threads of the actor, and returns a page of them as the actor sees them. */
export async function findMessages(
  db: Db,
  actor: Actor,
  { wanted, filter, paging, app_url }: Search,
): Promise<FoundMessages> {
  if (wanted.exact.length === 0) return NOTHING
  const { position, limit } = paging
  const { sort, order, at, back, inclusive } = position
  const scored = sort === 'relevance'
  const narrow = narrowed(wanted, filter)
  const score = scored
    ? sql`${pointsOf(wanted, narrow)} + extract(epoch from m.created_at)::float8 / ${BETTER_S}::float8`
    : sql`0::float8`
  const value = scored ? sql`score` : sql`created_at`
  const cast = sql.raw(scored ? 'float8' : 'timestamptz')
  const upwards = (order === 'asc') !== back
  const way = sql.raw(upwards ? 'asc' : 'desc')
  const sign = sql.raw((upwards ? '>' : '<') + (inclusive ? '=' : ''))
  const ahead = at ? sql`(${value}, id) ${sign} (${at.value}::${cast}, ${at.id})` : sql`true`
  const sorted = sql`order by ${value} ${way}, id ${way}`
  const listed = sql.raw(back ? 'desc' : 'asc')
  const words = [...hasQuoted(wanted), ...wanted.words.map((word) => hasAny(word.any))]

  const rows = await read(
    db,
    sql<FoundMessages>`
    with hits as materialized (
      select m.id, m.created_at, ${score} as score from messages m
      where ${both([...words, ...narrow, LIVE, ...filtered(actor, wanted, filter)])}
    ), near as materialized (
      select *, row_number() over (${sorted}) as place
      from (select * from hits where ${ahead} ${sorted} limit ${limit + 1}) n
    ), page as materialized (select * from near where place <= ${limit}),
    ends as (
      select json_build_object('value', ${value}, 'id', id) as place, row_number() over (order by place ${listed}) as number,
        count(*) over () as count from page
    ), viewer as (select ${actor.user_id}::bigint as id, ${app_url}::text as app_url)
    select (select count(*) from (select from hits limit ${COUNTED_AT_MOST + 1}) counted) as counted, count(*) as count,
      (select place from ends where number = 1) as top, (select place from ends where number = count) as bottom,
      (select count(*) from near) > ${limit} as more, exists (select from hits where not (${ahead})) as behind,
      coalesce(string_agg(${sql.raw(messageJsonSql('viewer.app_url'))}, ',' order by p.place ${listed}), '') as json,
      (select json_agg(f order by f.message_id, f.position)
        from page p join messages m on m.id = p.id join files f on f.message_id = m.id where m.has_files) as files
    from page p join messages m on m.id = p.id join chats c on c.id = m.chat_id join users u on u.id = m.user_id
      left join threads t on t.message_id = m.id cross join viewer
      cross join ${sql.raw(entitySql('viewer.id'))}`,
  )
  const found = rows[0] as FoundMessages
  return { ...found, top: found.top ?? undefined, bottom: found.bottom ?? undefined }
}

/** Flushes the GIN pending list of the search index; returns the pages cleaned, 0 while the index is being rebuilt. */
export async function flushPendingList(db: Autocommit): Promise<number> {
  const { rows } = await sql<{ pages: number }>`
    select gin_clean_pending_list(to_regclass('messages_search')) as pages`.execute(db)
  return rows[0]?.pages ?? 0
}
