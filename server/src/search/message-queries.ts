import { type RawBuilder, sql } from 'kysely'
import type { Actor } from '../platform/actor.js'
import type { Tx } from '../platform/db/index.js'
import type { Place, SearchPaging, Span } from './read.js'

export interface MessageFilter {
  chat_ids?: number[]
  user_ids?: number[]
  active?: boolean
  span: Span
}

/** A query of a person as the database understands it. */
export interface Wanted {
  /** What a message has to match. */
  all: string
  /** The same words by their forms alone, and as they are written: better matches. */
  forms: string
  exact: string
  /** Patterns that the clean text has to hold: what stands in quotes. */
  phrases: string[]
  /** Patterns that are cheap to look for and hold for every match of the words. */
  hints: string[]
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

export async function readWanted(tx: Tx, text: string): Promise<Wanted> {
  const { words, phrases } = splitQuery(text)
  const quoted = phrases.join(' ')
  const { rows } = await sql<Wanted>`
    select (search_query(${words}, false, '{}') && search_exactly(${quoted}))::text as all,
      (plainto_tsquery('parley_forms', search_clean(${words})) && search_exactly(${quoted}))::text as forms,
      (search_exactly(${words}) && search_exactly(${quoted}))::text as exact,
      array(select '% ' || search_clean(p) || ' %' from unnest(${phrases}::text[]) as p where search_clean(p) <> '')
        as phrases,
      search_hints(${`${words} ${quoted}`}) as hints`.execute(tx)
  return rows[0] as Wanted
}

/** How many messages that wait for the index a search looks through by itself, the newest first. */
const TAIL = 5_000
/** A match of a better kind is worth this much freshness. */
const BETTER_S = 90 * 86_400

const POINTS = {
  indexed: (wanted: Wanted) => sql`case
    when s.message_id in (select message_id from message_search where search_lexemes(body) @@ ${wanted.exact}::tsquery) then 2
    when s.message_id in (select message_id from message_search where search_lexemes(body) @@ ${wanted.forms}::tsquery) then 1
    else 0 end`,
  waiting: (wanted: Wanted) => sql`case
    when v.words @@ ${wanted.exact}::tsquery then 2 when v.words @@ ${wanted.forms}::tsquery then 1 else 0 end`,
}

/** What is searched of a message: its text and the names of its files, folded and clean. */
const bodyOf = sql`search_clean(m.content || ' ' || coalesce(
  (select string_agg(file.name, ' ' order by file.position) from files file where file.message_id = m.id), ''))`

function phrased({ phrases }: Wanted, body: RawBuilder<unknown>): RawBuilder<unknown> {
  return phrases.length === 0 ? sql`true` : sql`' ' || ${body} || ' ' like all (${phrases}::text[])`
}

function filtered(filter: MessageFilter): RawBuilder<unknown> {
  const { chat_ids, user_ids, active, span } = filter
  const parts = [sql`true`]
  if (chat_ids?.length) parts.push(sql`(f.chat_id = any(${chat_ids}) or f.root_chat_id = any(${chat_ids}))`)
  if (user_ids?.length) parts.push(sql`f.user_id = any(${user_ids})`)
  if (span.from) parts.push(sql`f.created_at >= ${span.from}`)
  if (span.to) parts.push(sql`f.created_at <= ${span.to}`)
  if (active !== undefined) {
    parts.push(sql`f.root_chat_id in (
      select c.id from chats c where c.archived_at is ${sql.raw(active ? 'null' : 'not null')})`)
  }
  return sql.join(parts, sql` and `)
}

export interface FoundMessages {
  total: number
  page: Place[]
}

/**
 * Finds messages in the chats and threads of the actor. What waits for the index is looked through here and now, so
 * that a search never misses what was written before it, nor finds what was edited or deleted.
 */
export async function findMessages(
  tx: Tx,
  actor: Actor,
  wanted: Wanted,
  filter: MessageFilter,
  paging: SearchPaging,
): Promise<FoundMessages> {
  const { sort, order, at, limit } = paging
  const scored = sort === 'relevance'
  const score = (points: RawBuilder<unknown>) =>
    scored ? sql`${points} + extract(epoch from created_at)::float8 / ${BETTER_S}::float8` : sql`0::float8`
  const value = scored ? sql`score` : sql`created_at`
  const cast = sql.raw(scored ? 'float8' : 'timestamptz')
  const way = sql.raw(order)
  const beyond = sql.raw(order === 'asc' ? '>' : '<')
  const after = at ? sql`(${value}, message_id) ${beyond} (${at.value}::${cast}, ${at.id})` : sql`true`

  const { rows } = await sql<FoundMessages>`
    with mine as materialized (select chat_id from chat_members where user_id = ${actor.user_id}),
    tail as materialized (
      select distinct message_id from (select message_id from search_queue order by id desc limit ${TAIL}) newest),
    found as (
      select s.message_id, s.chat_id, s.root_chat_id, s.user_id, s.created_at,
        ${score(POINTS.indexed(wanted))} as score
      from message_search s
      where search_lexemes(s.body) @@ ${wanted.all}::tsquery and ${phrased(wanted, sql`s.body`)}
        and s.message_id not in (select message_id from tail)
      union all
      select v.message_id, v.chat_id, v.root_chat_id, v.user_id, v.created_at, ${score(POINTS.waiting(wanted))}
      from (
        select m.id as message_id, m.chat_id, m.root_chat_id, m.user_id, m.created_at,
          body.text as body, search_lexemes(body.text) as words
        from tail join messages m on m.id = tail.message_id cross join lateral (select ${bodyOf} as text offset 0) body
        where m.deleted_at is null and not m.system
          and (m.has_files or search_fold(m.content) like all (${wanted.hints}::text[]))
        offset 0) v
      where v.words @@ ${wanted.all}::tsquery and ${phrased(wanted, sql`v.body`)}),
    hits as materialized (
      select f.message_id, f.created_at, f.score from found f
      where (f.chat_id in (select chat_id from mine) or f.root_chat_id in (select chat_id from mine))
        and ${filtered(filter)})
    select count(*) as total, coalesce((
      select json_agg(json_build_object('value', ${scored ? sql`p.score` : sql`p.created_at`}, 'id', p.message_id))
      from (select * from hits where ${after} order by ${value} ${way}, message_id ${way} limit ${limit}) p), '[]') as page
    from hits`.execute(tx)
  return rows[0] as FoundMessages
}

const BATCH = 500
/** Not the number of any other lock: sealing the audit log waits for its own. */
const LOCK = 7_310_545

/** Takes messages from the queue into the index; one process at a time, so that an older text never wins. */
export async function indexWaiting(tx: Tx): Promise<number> {
  const lock = await sql<{ mine: boolean }>`select pg_try_advisory_xact_lock(${LOCK}) as mine`.execute(tx)
  if (!lock.rows[0]?.mine) return 0
  const { rows } = await sql<{ taken: number }>`
    with taken as materialized (
      delete from search_queue where id = any(array(select id from search_queue order by id limit ${BATCH}))
      returning message_id
    ), changed as materialized (select distinct message_id from taken
    ), live as materialized (
      select m.id, m.chat_id, m.root_chat_id, m.user_id, m.created_at, ${bodyOf} as body
      from changed join messages m on m.id = changed.message_id where m.deleted_at is null and not m.system
    ), gone as (
      delete from message_search where message_id in (select message_id from changed except select id from live)
    ), written as (
      insert into message_search (message_id, chat_id, root_chat_id, user_id, created_at, body)
      select id, chat_id, root_chat_id, user_id, created_at, body from live
      on conflict (message_id) do update set body = excluded.body
    )
    select count(*) as taken from taken`.execute(tx)
  return rows[0]?.taken ?? 0
}
