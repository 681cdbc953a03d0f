import { type RawBuilder, sql } from 'kysely'
import type { Actor } from '../platform/actor.js'
import { type Autocommit, type Db, read } from '../platform/db/index.js'
import { both, indexed, inSegments, LIVE } from './match-sql.js'
import { keysOf, OPEN_KEYS, segmentOf } from './segment-queries.js'
import { microseconds } from './walk-queries.js'
import type { Wanted } from './wanted-queries.js'

/** Which segments are closed: all up to a number, less those that are named. */
const CLOSED = sql`(select max(segment) || ':' || coalesce((
    select string_agg(segment::text, ',' order by segment) from search_segments where newest is null), '')
  from search_segments)`

/** Messages that have the words; values of one message have the same place in each, as the texts of arrays. */
export interface MatchLists {
  ids: string | null
  chat_ids: string | null
  root_chat_ids: string | null
  times_us: string | null
}

const MATCH_LISTS = sql`array_agg(m.id)::text as ids, array_agg(m.chat_id)::text as chat_ids,
  array_agg(m.root_chat_id)::text as root_chat_ids, array_agg(${microseconds('m.created_at')})::text as times_us`

const UNFILTERED = { span: { from: null, to: null } }

const hasWords = (keys: RawBuilder<unknown>, wanted: Wanted) =>
  both([inSegments(keys), ...indexed(wanted, UNFILTERED), LIVE])

/** What has to be known before something kept is used, and the matches in segments that are not closed, all as of one moment. */
export interface SearchState extends MatchLists {
  /** The first transaction whose changes may not be among those that are told here. */
  horizon: string
  /** Changes from the former horizon on; some may have been told before. */
  changes: { id: number; segment: number }[]
  /** Whether changes may have gone from the list that were never told. */
  missed: boolean
  closed: string | null
  /** The chats of the actor, as the text of an array. */
  chats: string
}

export async function readSearchState(
  db: Db,
  { user_id }: Actor,
  wanted: Wanted,
  former: string | null,
): Promise<SearchState> {
  const rows = await read(
    db,
    sql<SearchState>`
    select pg_snapshot_xmin(pg_current_snapshot())::text as horizon,
      (select coalesce(json_agg(json_build_object('id', id, 'segment', segment)), '[]')
        from search_changes where xid >= ${former}::xid8) as changes,
      coalesce((select min(xid) from search_changes) > ${former}::xid8, false) as missed, ${CLOSED} as closed,
      array(select chat_id from chat_members where user_id = ${user_id})::text as chats, open.*
    from (select ${MATCH_LISTS} from messages m where ${hasWords(sql`array(${OPEN_KEYS})`, wanted)}) open`,
  )
  return rows[0] as SearchState
}

/** A segment to which nothing is added, and the times between which its messages lie, in microseconds. */
export interface ClosedSegment {
  segment: number
  oldest_us: number
  newest_us: number
}

export async function readClosedSegments(
  db: Db,
): Promise<{ closed: string | null; segments: ClosedSegment[] }> {
  const rows = await read(
    db,
    sql<{ closed: string | null; segments: ClosedSegment[] }>`
    select ${CLOSED} as closed, (
      select coalesce(json_agg(json_build_object('segment', segment, 'oldest_us', ${microseconds('oldest')},
        'newest_us', ${microseconds('newest')})), '[]')
      from search_segments where newest > '-infinity') as segments`,
  )
  return rows[0] as { closed: string | null; segments: ClosedSegment[] }
}

export interface MatchRow extends MatchLists {
  segment: number
}

/** The matches of closed segments; those that have none are left out. */
export function listMatches(db: Db, wanted: Wanted, segments: readonly number[]): Promise<MatchRow[]> {
  const keys = sql`array(${keysOf(sql`select segment from unnest(${segments}::bigint[]) as asked (segment)`)})`
  return read(
    db,
    sql<MatchRow>`
    select ${segmentOf(sql`m.id`)} as segment, ${MATCH_LISTS} from messages m where ${hasWords(keys, wanted)} group by 1`,
  )
}

/** Leaves the newest changes; those of a future transaction came with the backup of another database. */
export async function deleteOldChanges(db: Autocommit, left: number) {
  await sql`
    delete from search_changes where xid >= pg_snapshot_xmax(pg_current_snapshot())
      or xid < (select xid from search_changes order by xid desc offset ${left} limit 1)`.execute(db)
}
