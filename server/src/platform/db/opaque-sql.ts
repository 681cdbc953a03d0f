import { type RawBuilder, sql } from 'kysely'

/**
 * An id that the planner does not look at. It then expects the same of every id, so that it keeps its plan; a plan that seems
 * cheaper for the id at hand would be made anew each time, which can cost as much as the rows.
 */
export const opaqueId = (id: number | null): RawBuilder<number> => sql<number>`(select ${id}::bigint)`
