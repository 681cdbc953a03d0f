import { sql } from 'kysely'
import type { Autocommit } from '../platform/db/index.js'

/** Deletes queue entries from before a time, so many at most; says how many. */
export async function deleteOldQueued(db: Autocommit, before: Date, limit: number): Promise<number> {
  const { rows } = await sql`
    delete from queued_events where sequence in (
      select sequence from queued_events where created_at < ${before} limit ${limit})
    returning sequence`.execute(db)
  return rows.length
}

/** Deletes deliveries from before a time that do not wait any more, with their attempts. */
export async function deleteOldDeliveries(db: Autocommit, before: Date, limit: number): Promise<number> {
  const { rows } = await sql`
    with old as (
      delete from deliveries where id in (
        select id from deliveries where created_at < ${before} and state <> 'pending' limit ${limit})
      returning id
    ), attempts as (delete from delivery_attempts where delivery_id in (select id from old))
    select id from old`.execute(db)
  return rows.length
}

export async function deleteDeliveriesOf(db: Autocommit, botId: number, limit: number): Promise<number> {
  const { rows } = await sql`
    with gone as (
      delete from deliveries where id in (select id from deliveries where bot_id = ${botId} limit ${limit})
      returning id
    ), attempts as (delete from delivery_attempts where delivery_id in (select id from gone))
    select id from gone`.execute(db)
  return rows.length
}

/** What is kept for a bot besides deliveries. */
export async function deleteWaitingOf(db: Autocommit, botId: number) {
  await db.deleteFrom('delivery_lanes').where('bot_id', '=', botId).execute()
  await db.deleteFrom('queued_events').where('bot_id', '=', botId).execute()
  await db.deleteFrom('inbound_posts').where('bot_id', '=', botId).execute()
}
