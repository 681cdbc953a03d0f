import type { SearchPaginationMeta } from '@parley/contract'
import type { Actor } from '../platform/actor.js'
import { recordAlone } from '../platform/audit/record.js'
import type { Context } from '../platform/context.js'
import { TIME } from '../platform/http/fault-text.js'
import { type PageEnds, type Paging, paginateOf, readPaging } from '../platform/http/page.js'
import { totalOf } from '../platform/http/search-total.js'
import { Problem, problemItem } from '../platform/problem.js'
import { parseTime } from '../platform/time.js'

/** The sort is the cursor's where there is one; the filters are those of the request. */
export function readPlace(
  ctx: Context,
  query: { cursor?: string; limit?: number },
  usual: { list: string; sort: string; order: 'asc' | 'desc'; limit: number },
): Paging {
  return readPaging(query, { ...usual, secret: ctx.secret })
}

/** What a search found: how many, counted up to one more than it tells, and where its page lies. */
export interface Found extends PageEnds {
  counted: number
  /** Whether everything was looked at. */
  complete: boolean
}

export function pageMeta(paging: Paging, { counted, complete, ...ends }: Found): SearchPaginationMeta {
  const { total, total_is_exact } = totalOf(counted)
  return { total, total_is_exact: total_is_exact && complete, paginate: paginateOf(paging, ends) }
}

export interface Span {
  from: Date | null
  to: Date | null
}

/** Both ends are included; a time that is none is 400. */
export function readSpan(query: { created_from?: string; created_to?: string }): Span {
  const read = (key: 'created_from' | 'created_to') =>
    query[key] === undefined ? null : parseTime(query[key])
  const [from, to] = [read('created_from'), read('created_to')]
  const faults = [
    ...(from === undefined
      ? [problemItem('invalid', { key: 'created_from', value: query.created_from, message: TIME })]
      : []),
    ...(to === undefined
      ? [problemItem('invalid', { key: 'created_to', value: query.created_to, message: TIME })]
      : []),
  ]
  if (faults.length > 0) throw Problem.of(400, faults)
  return { from: from as Date | null, to: to as Date | null }
}

const NO_FILTERS = new Set(['query', 'cursor', 'limit'])

/** Notes that somebody searched, and how, but never for what. */
export async function recordSearch(
  ctx: Context,
  actor: Actor,
  search_type: 'users' | 'chats' | 'messages',
  query: Record<string, unknown>,
  found: number,
) {
  const filters = Object.fromEntries(Object.entries(query).filter(([name]) => !NO_FILTERS.has(name)))
  await recordAlone(ctx, actor, {
    event_key: `search_${search_type}_api`,
    entity_type: 'User',
    entity_id: actor.user_id,
    details: {
      search_type,
      query_present: true,
      cursor_present: Boolean(query.cursor),
      limit: found,
      filters,
    },
  })
}
