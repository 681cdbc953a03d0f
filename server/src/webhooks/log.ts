import type { Delivery, listDeliveries, QueryOf } from '@parley/contract'
import { type Selectable, sql } from 'kysely'
import { type DB, type Db, read } from '../platform/db/index.js'
import { keyset, type Paging } from '../platform/http/page.js'
import { Problem } from '../platform/problem.js'
import { parseTime } from '../platform/time.js'

type DeliveryRow = Selectable<DB['deliveries']>
type AttemptRow = Selectable<DB['delivery_attempts']>

export interface DeliveryFilter {
  state?: string | undefined
  from?: Date | undefined
  to?: Date | undefined
}

function readTime(key: string, text: string | undefined): Date | undefined {
  if (text === undefined) return undefined
  const time = parseTime(text)
  if (!time) throw new Problem(400, 'invalid', { key, value: text })
  return time
}

export function readFilter(query: QueryOf<typeof listDeliveries>): DeliveryFilter {
  return {
    state: query.state,
    from: readTime('created_from', query.created_from),
    to: readTime('created_to', query.created_to),
  }
}

/** One page of the log. Delivered ones have no index of their own: they are the rule, and the page fills soon. */
export async function listDeliveryRows(db: Db, botId: number, filter: DeliveryFilter, paging: Paging) {
  const columns = { id: sql`d.id`, value: sql`d.created_at`, cast: 'timestamptz' as const }
  const { where, orderBy, limit } = keyset(paging, columns)
  const state = filter.state ? sql`d.state = ${filter.state}` : sql`true`
  const unsent = filter.state && filter.state !== 'delivered' ? sql`d.state <> 'delivered'` : sql`true`
  const from = filter.from ? sql`d.created_at >= ${filter.from}` : sql`true`
  const to = filter.to ? sql`d.created_at <= ${filter.to}` : sql`true`
  const rows = await read(
    db,
    sql<DeliveryRow>`
    select d.* from deliveries d
    where d.bot_id = ${botId} and ${state} and ${unsent} and ${from} and ${to} and ${where}
    order by ${orderBy} limit ${limit}`,
  )
  return rows
}

/** The attempts of all these deliveries, in one query. */
export async function attemptsOf(db: Db, ids: readonly number[]): Promise<Map<number, AttemptRow[]>> {
  const byDelivery = new Map<number, AttemptRow[]>()
  if (ids.length === 0) return byDelivery
  const rows = await db
    .selectFrom('delivery_attempts')
    .selectAll()
    .where('delivery_id', 'in', [...ids])
    .orderBy('number')
    .execute()
  for (const row of rows) byDelivery.set(row.delivery_id, [...(byDelivery.get(row.delivery_id) ?? []), row])
  return byDelivery
}

export function presentDelivery(
  row: DeliveryRow,
  attempts: readonly AttemptRow[],
  paused: boolean,
): Delivery {
  const next = row.state === 'pending' && !paused ? row.next_attempt_at : null
  return {
    id: row.id,
    event_id: row.event_id,
    event_type: row.event_type as Delivery['event_type'],
    chat_id: row.chat_id || null,
    state: row.state as Delivery['state'],
    created_at: row.created_at.toISOString(),
    next_attempt_at: next?.toISOString() ?? null,
    payload: JSON.parse(row.payload),
    attempts: attempts.map(({ number, at, status, duration_ms, error }) => ({
      number,
      at: at.toISOString(),
      status,
      duration_ms,
      error,
    })),
  }
}
