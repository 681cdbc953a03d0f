import { type RawBuilder, sql } from 'kysely'
import { plainArray } from './array.js'

/**
 * An id that the planner does not look at. It then expects the same of every id, so that it keeps its plan; a plan that seems
 * cheaper for the id at hand would be made anew each time, which can cost as much as the rows.
 */
export const opaqueId = (id: number | null): RawBuilder<number> => sql<number>`(select ${id}::bigint)`

/** Ids of which the planner sees neither what nor how many they are. */
export const opaqueIds = (ids: readonly number[]): RawBuilder<number[]> =>
  sql<number[]>`(select ${plainArray(ids)}::bigint[])::bigint[]`
