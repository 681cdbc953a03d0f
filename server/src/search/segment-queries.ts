import { type RawBuilder, sql } from 'kysely'
import type { Autocommit } from '../platform/db/index.js'

/** Messages of a segment: the ids that share all but so many bits. */
const SEGMENT_BITS = 12
/** Segments that one round closes: what an import leaves takes several. */
const CLOSED_AT_ONCE = 50

/** The segment of a message. */
export const segmentOf = (id: RawBuilder<unknown>) => sql`${id} >> ${sql.lit(SEGMENT_BITS)}`

/** The segment that ids are drawn in now. */
export const CURRENT = sql`(select last_value >> ${sql.lit(SEGMENT_BITS)} from messages_id_seq)`

/** Segments that share a key of their own: fewer keys are faster to look up. */
const GROUP_BITS = 4

/** The keys of these segments. */
export const keysOf = (segments: RawBuilder<unknown>) => sql`
  select unnest(case count(*) when ${sql.lit(2 ** GROUP_BITS)} then array['~~' || (segment >> ${sql.lit(GROUP_BITS)})]
    else array_agg('~' || segment) end)
  from (${segments}) s group by segment >> ${sql.lit(GROUP_BITS)}`

/** Keys of the segments whose times are not known yet: new messages are in these. */
export const OPEN_KEYS = sql`(
  select '~' || segment from generate_series(
    (select coalesce(max(segment) + 1, 0) from search_segments), ${CURRENT}) as fresh (segment)
  union all select '~' || segment from search_segments where newest is null)`

/** No transaction goes on that began before the segment was full. One from the future was noted by the database of a backup. */
const OVER = sql`(full_at < pg_snapshot_xmin(pg_current_snapshot()) or full_at >= pg_snapshot_xmax(pg_current_snapshot()))`

/** Notes the segments that are full, and the times of those that no transaction can add to any more. */
export async function closeSegments(db: Autocommit): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    with filled as (
      insert into search_segments (segment, full_at)
      select segment, pg_current_xact_id() from generate_series(
        (select coalesce(max(segment) + 1, 0) from search_segments), ${CURRENT} - 1) as fresh (segment)
      limit ${CLOSED_AT_ONCE} on conflict do nothing returning segment
    ), closed as (
      update search_segments s set oldest = coalesce(times.oldest, '-infinity'), newest = coalesce(times.newest, '-infinity')
      from (
        select segment from search_segments
        where newest is null and ${OVER} order by segment limit ${CLOSED_AT_ONCE}
      ) due cross join lateral (
        select min(created_at) as oldest, max(created_at) as newest from messages
        where id between due.segment << ${sql.lit(SEGMENT_BITS)} and ((due.segment + 1) << ${sql.lit(SEGMENT_BITS)}) - 1
      ) times where s.segment = due.segment returning s.segment
    ) select (select count(*) from filled) + (select count(*) from closed) as count`.execute(db)
  return rows[0]?.count ?? 0
}
