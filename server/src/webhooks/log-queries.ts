import { type Selectable, sql } from 'kysely'
import { anyId } from '../platform/db/any-sql.js'
import { type DB, type Db, read } from '../platform/db/index.js'
import { keyset, type Paging } from '../platform/http/page.js'

/** A delivery, and whether its address is paused. */
export type DeliveryRow = Selectable<DB['deliveries']> & { paused: boolean | null }
export type AttemptRow = Selectable<DB['delivery_attempts']>

export interface DeliveryFilter {
  state?: string | undefined
  endpoint_id?: number | undefined
  replay_id?: number | undefined
  from?: Date | undefined
  to?: Date | undefined
}

function inState(botId: number, state: string) {
  if (state === 'failed' || state === 'cancelled') return sql`d.unsent = ${state}`
  if (state !== 'pending') return sql`d.state = ${state}`
  return sql`d.state = 'pending' and d.id in (
    select id from waiting_deliveries where bot_id = ${botId}
    union all
    select id from deliveries where bot_id = ${botId} and held_until is not null)`
}

/** One page of the log. Delivered ones are the rule, so that the page fills soon; others are found by themselves. */
export async function listDeliveryRows(db: Db, botId: number, filter: DeliveryFilter, paging: Paging) {
  const columns = { id: sql`d.id`, value: sql`d.created_at`, cast: 'timestamptz' as const }
  const { where, orderBy, limit } = keyset(paging, columns)
  const state = filter.state ? inState(botId, filter.state) : sql`true`
  const from = filter.from ? sql`d.created_at >= ${filter.from}` : sql`true`
  const to = filter.to ? sql`d.created_at <= ${filter.to}` : sql`true`
  const equal = (column: string, value: number | undefined) =>
    value === undefined ? sql`true` : sql`${sql.ref(column)} = ${value}`
  const endpoint = equal('d.endpoint_id', filter.endpoint_id)
  const replay = equal('d.replay_id', filter.replay_id)
  const rows = await read(
    db,
    sql<DeliveryRow>`
    select d.*, a.paused_at is not null as paused
    from deliveries d left join webhook_addresses a using (bot_id, endpoint_id)
    where d.bot_id = ${botId} and ${state} and ${from} and ${to}
      and ${endpoint} and ${replay} and ${where}
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
    .where('delivery_id', '=', anyId(ids))
    .orderBy('number')
    .execute()
  for (const row of rows) byDelivery.set(row.delivery_id, [...(byDelivery.get(row.delivery_id) ?? []), row])
  return byDelivery
}
