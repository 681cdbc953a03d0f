import { sql } from 'kysely'
import { type Db, read, type Tx } from '../platform/db/index.js'

/** Puts deliveries back into their lanes, which are due at once; in order, before later ones; what is retried alone stays so. */
export async function putBackDeliveries(tx: Tx, botId: number, ids: readonly number[], at: Date) {
  await sql`
    with again as (
      update deliveries d set state = 'pending', next_attempt_at = null, attempts_before = attempts
      where bot_id = ${botId} and id = any (${ids}) and held_until is null
        and exists (select from webhook_addresses address
          where address.bot_id = d.bot_id and address.endpoint_id = d.endpoint_id and address.url <> '')
      returning bot_id, endpoint_id, replay_id, case when alone then -id else chat_id end as chat_id
    )
    insert into delivery_lanes (bot_id, endpoint_id, replay_id, chat_id, due_at)
    select distinct bot_id, endpoint_id, replay_id, chat_id, ${at}::timestamptz from again order by 1, 2, 3, 4
    on conflict (bot_id, endpoint_id, replay_id, chat_id) do update set version = delivery_lanes.version + 1,
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
