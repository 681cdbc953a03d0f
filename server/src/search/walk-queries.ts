import { type RawBuilder, sql } from 'kysely'
import type { Actor } from '../platform/actor.js'
import { plainArray } from '../platform/db/array.js'
import { type Db, read } from '../platform/db/index.js'
import {
  both,
  filtered,
  inChats,
  indexed,
  inSegments,
  isMine,
  isPlain,
  LIVE,
  type MessageFilter,
  mayAskForChats,
  pointsOf,
} from './match-sql.js'
import { type FoundMessages, messagesOfPage } from './message-queries.js'
import { keysOf, OPEN_KEYS } from './segment-queries.js'
import type { Wanted } from './wanted-queries.js'

/** A match: when it was written, in microseconds, and how good it is. */
export interface Hit {
  us: number
  id: number
  points: number
}

/** What is looked for, from where on, and which way through time. */
export interface Walk {
  actor: Actor
  wanted: Wanted
  filter: MessageFilter
  upwards: boolean
  /** Matches from here on alone. */
  from: { at: string; id: number; inclusive: boolean } | null
  /** How many matches are told, of those that are counted. */
  told: number
  /** Whether the points of matches are wanted. */
  scored: boolean
  /** The page that the first matches make, in this order; null where the messages are not wanted yet. */
  page: { limit: number; back: boolean; app_url: string } | null
}

/** A part of a walk. */
export interface Part {
  /** The last segment before it; null for the first part. */
  after: Edge | null
  segments: number
  /** Matches of earlier parts, among which those of the page are. */
  found: readonly Hit[]
  /** With fewer matches than `below` it is asked how rare they are; null where that is not asked. */
  rare: { below: number; at_most: number } | null
  /** Messages with the words in a segment, as far as that is known. */
  dense: number
  /** Whether the index is asked for the chats of the actor, or each message that has the words is looked at. */
  by_chats: boolean
}

/** A segment that was looked through: the next ones lie beyond it. */
export interface Edge {
  at: string
  segment: number
}

/** What was counted and told, and the messages of the page where these matches fill it. */
export interface Matches extends FoundMessages {
  counted: number
  hits: Hit[]
}

export interface Step extends Matches {
  /** The last segment looked through, and the time at which the next one begins: null where there is none. */
  last: Edge | null
  next_us: number | null
  /** In how many messages of the segments the rarest part of the query is; null where that was not asked. */
  rarest: number | null
  /** Messages that were looked at. */
  candidates: number
}

/** A time as the database writes it, to the microsecond. */
export function timeOf(us: number): string {
  const [ms, rest] = [Math.floor(us / 1000), us % 1000]
  return new Date(ms).toISOString().replace('Z', `${String(rest).padStart(3, '0')}Z`)
}

/** The time that `timeOf` wrote. */
export const microsecondsOf = (time: string): number =>
  Date.parse(time) * 1000 + Number(/\.\d{3}(\d{3})/.exec(time)?.[1] ?? 0)

/** As floating numbers: a third cheaper than exact ones (593 and 864 ns a row, in an array), and as exact for the next eighty years. */
export const microseconds = (column: string) =>
  sql.raw(`round(date_part('epoch', ${column}) * 1000000)::bigint`)

/** Common table expressions: what is looked at of these segments, or of all where there are none given, and the matches among it. */
function matches({ actor, wanted, filter, upwards, from }: Walk, segments: boolean, by_chats: boolean) {
  const within = segments ? [inSegments(sql`(select keys from spans)`)] : []
  const mine = by_chats ? inChats(wanted) : isMine(actor)
  // What reads a text to know whether it matches reads those alone that the actor may see.
  const first = by_chats || !isPlain(wanted)
  const sign = sql.raw((upwards ? '>' : '<') + (from?.inclusive ? '=' : ''))
  const ahead = from ? [sql`(m.created_at, m.id) ${sign} (${from.at}::timestamptz, ${from.id})`] : []
  const seen = [...within, ...indexed(wanted, filter), ...(first ? [mine] : [])]
  return sql`candidates as materialized (
      select m.id, m.created_at, ${first ? sql`true` : mine} as mine from messages m
      where ${both([...seen, LIVE, ...filtered(wanted, filter), ...ahead])}
    ), hits as materialized (select id, created_at from candidates where mine)`
}

/** Earlier matches, to be put among the new ones. */
function also(found: readonly Hit[]): RawBuilder<unknown> {
  if (found.length === 0) return sql``
  const [ids, times] = [found.map(({ id }) => id), found.map(({ us }) => us)].map(plainArray)
  return sql`union all select id, 'epoch'::timestamptz + us * interval '1 microsecond'
    from unnest(${ids}::bigint[], ${times}::bigint[]) as f (id, us)`
}

/** Further common table expressions: the matches that are told, and the messages of the page. */
function nearest(
  { actor, upwards, told, page }: Walk,
  filled: RawBuilder<unknown>,
  found: readonly Hit[] = [],
) {
  const way = sql.raw(upwards ? 'asc' : 'desc')
  const near = sql`near as materialized (
    select id, created_at, row_number() over (order by created_at ${way}, id ${way}) as place
    from (select id, created_at from hits ${also(found)} order by created_at ${way}, id ${way} limit ${told}) h)`
  if (!page) return sql`${near}, shown as (select '[]'::json as ids, '' as json, null::json as files)`
  return sql`${near}, page as materialized (
      select id, ${sql.raw(page.back ? '-' : '')}place as place from near where place <= ${page.limit} and ${filled}
    ), shown as (${messagesOfPage(actor, page.app_url)})`
}

function told({ wanted, scored }: Walk) {
  const points = scored ? pointsOf(wanted) : sql`0`
  return sql`(select count(*) from hits) as counted, (
    select coalesce(json_agg(json_build_object('us', ${microseconds('h.created_at')}, 'id', h.id, 'points', ${points})
      order by h.place), '[]') from near h) as hits, shown.*`
}

/**
 * In how many messages of the segments the rarest part of the query is. The chats of the actor, which are the dearest part to ask for, are
 * counted only where nothing was found in them and no other part is rare enough.
 */
function rarest({ wanted, filter }: Walk, at_most: number): RawBuilder<unknown> {
  const within = [inSegments(sql`(select keys from spans)`), LIVE]
  const count = (part: RawBuilder<unknown>) =>
    sql`(select count(*) from messages m where ${both([part, ...within])})`
  const parts = indexed(wanted, filter).map(count)
  if (!mayAskForChats(wanted)) return parts.length > 0 ? sql`least(${sql.join(parts)})` : sql`null`
  const inMine = count(inChats(wanted))
  if (parts.length === 0) return inMine
  return sql`(
    select case when least <= ${at_most} or exists (select from hits) then least else least(least, ${inMine}) end
    from (select least(${sql.join(parts)}) as least offset 0) asked)`
}

/** Looks through the next segments; the first step takes those along whose times are not known yet. */
export async function stepThrough(db: Db, walk: Walk, part: Part): Promise<Step> {
  const { upwards, from, filter } = walk
  const { after, segments, found, rare, by_chats } = part
  const edge = sql.raw(upwards ? 'oldest' : 'newest')
  const way = sql.raw(upwards ? 'asc' : 'desc')
  const sign = sql.raw(upwards ? '>' : '<')
  const beyond = after ? [sql`(${edge}, segment) ${sign} (${after.at}::timestamptz, ${after.segment})`] : []
  const lower = [filter.span.from, upwards ? from?.at : null].filter((time) => time != null)
  const upper = [filter.span.to, upwards ? null : from?.at].filter((time) => time != null)
  // One condition for each time: beside an array of them the database expects no segment, and reads all instead of the next.
  const within = [
    ...lower.map((time) => sql`newest >= ${time}::timestamptz`),
    ...upper.map((time) => sql`oldest <= ${time}::timestamptz`),
  ]
  const filled = sql`((select count(*) from near) >= ${walk.told} or not exists (select from shut where n > ${segments}))`
  const rows = await read(
    db,
    sql<Step>`
    with shut as materialized (
      select segment, ${edge} as edge, row_number() over (order by ${edge} ${way}, segment ${way}) as n
      from search_segments
      where ${both([sql`newest > '-infinity'`, ...beyond, ...within])}
      order by ${edge} ${way}, segment ${way} limit ${segments + 1}
    ), spans as materialized (
      select array(${keysOf(sql`select segment from shut where n <= ${segments}`)}
        ${after ? sql`` : sql`union all ${OPEN_KEYS}`}) as keys
    ), ${matches(walk, true, by_chats)}, ${nearest(walk, filled, found)}
    select ${told(walk)}, (select count(*) from candidates) as candidates,
      ${rare ? sql`case when (select count(*) from hits) < ${rare.below} then ${rarest(walk, rare.at_most)} end` : sql`null::bigint`} as rarest,
      (select json_build_object('at', edge::text, 'segment', segment) from shut where n <= ${segments} order by n desc limit 1) as last,
      (select ${microseconds('edge')} from shut where n > ${segments}) as next_us from shown`,
  )
  return rows[0] as Step
}

/** Looks through everything: for what the index says is rare. */
export async function findAll(db: Db, walk: Walk, by_chats: boolean): Promise<Matches> {
  const rows = await read(
    db,
    sql<Matches>`
    with ${matches(walk, false, by_chats)}, ${nearest(walk, sql`true`)} select ${told(walk)} from shown`,
  )
  return rows[0] as Matches
}
