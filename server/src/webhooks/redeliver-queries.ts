import { sql } from 'kysely'
import { type Db, read, type Tx } from '../platform/db/index.js'
import { JOINED } from './lane-sql.js'

/**
 * Puts deliveries back into their lanes, which are due at once; in order, before later ones; what is retried alone stays so.
 * An attempt that succeeded becomes one of several.
 */
export async function putBackDeliveries(tx: Tx, botId: number, ids: readonly number[], at: Date) {
  await sql`
    with asked as materialized (
      select id, attempts, delivered_at, delivered_status, delivered_ms from deliveries d
      where bot_id = ${botId} and id = any (${ids}) and held_until is null
        and exists (select from webhook_addresses address
          where address.bot_id = d.bot_id and address.endpoint_id = d.endpoint_id and address.url <> '')
      order by id for update
    ), kept as (
      insert into delivery_attempts (delivery_id, number, at, status, duration_ms)
      select id, attempts, delivered_at, delivered_status, delivered_ms from asked where delivered_at is not null
      on conflict do nothing
    ), again as (
      update deliveries set state = 'pending', next_attempt_at = null, attempts_before = deliveries.attempts,
        delivered_at = null, delivered_status = null, delivered_ms = null
      from asked where deliveries.id = asked.id
      returning deliveries.id, bot_id, endpoint_id, replay_id, case when alone then -deliveries.id else chat_id end as chat_id
    )
    insert into delivery_lanes (bot_id, endpoint_id, replay_id, chat_id, due_at, first_id)
    select bot_id, endpoint_id, replay_id, chat_id, ${at}::timestamptz, min(id) from again
    group by 1, 2, 3, 4 order by 1, 2, 3, 4
    on conflict (bot_id, endpoint_id, replay_id, chat_id) do update set ${JOINED},
      due_at = least(delivery_lanes.due_at, excluded.due_at)`.execute(tx)
}

export function findDeliveryOf(db: Db, botId: number, deliveryId: number) {
  return db
    .selectFrom('deliveries')
    .select(['id', 'endpoint_id'])
    .where('id', '=', deliveryId)
    .where('bot_id', '=', botId)
    .executeTakeFirst()
}

/** Whether the bot has an address: this one, or any. */
export async function isSending(db: Db, botId: number, endpointId?: number): Promise<boolean> {
  const one = endpointId === undefined ? sql`true` : sql`endpoint_id = ${endpointId}`
  const rows = await read(
    db,
    sql<{ sends: boolean }>`
    select exists (select from webhook_addresses where bot_id = ${botId} and url <> '' and ${one}) as sends`,
  )
  return rows[0]?.sends ?? false
}

export interface DeliveryRange {
  bot_id: number
  from: string
  to: string
  states: readonly string[]
  after: number
}

/** Deliveries of a bot in a time range and some states, in the order of their ids. */
export async function listInRange(db: Db, range: DeliveryRange, count: number): Promise<number[]> {
  const rows = await read(
    db,
    sql<{ id: number }>`
    select id from deliveries
    where bot_id = ${range.bot_id} and created_at >= ${range.from}::timestamptz
      and created_at <= ${range.to}::timestamptz and state = any (${range.states}) and id > ${range.after}
    order by id limit ${count}`,
  )
  return rows.map(({ id }) => id)
}
