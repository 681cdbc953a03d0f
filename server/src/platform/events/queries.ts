import { type Insertable, type RawBuilder, sql } from 'kysely'
import type { Autocommit, AutocommitPool, DB, Tx } from '../db/index.js'

export async function insertEvent(tx: Tx, event: Insertable<DB['events']>) {
  await tx.insertInto('events').values(event).execute()
}

/** Adds many events that have all but chat and payload in common, in the order given. */
export async function insertEvents(
  tx: Tx,
  { type, actor_id, created_at }: { type: string; actor_id: number; created_at: Date },
  each: readonly { chat_id: number | null; payload: string }[],
) {
  await sql`
    insert into events (type, chat_id, actor_id, payload, created_at)
    select ${type}, e.chat_id, ${actor_id}, e.payload::jsonb, ${created_at}
    from unnest(${each.map(({ chat_id }) => chat_id)}::bigint[], ${each.map(({ payload }) => payload)}::text[])
      with ordinality as e (chat_id, payload, place) order by place`.execute(tx)
}

/** Deletes events that were relayed before a time, and those that were set aside before it. */
export async function deleteOldEvents(db: Autocommit, before: Date) {
  await sql`delete from events
    where created_at < ${before} and position <= (select position from relay_cursor)`.execute(db)
  await db.deleteFrom('set_aside_events').where('set_aside_at', '<', before).execute()
}

/** Wakes other processes. */
export async function notify(pool: AutocommitPool, channel: string, payload: string) {
  await pool.query('select pg_notify($1, $2)', [channel, payload])
}

/** Deletes events that fit a condition and were not relayed yet. */
export async function deleteWaitingEvents(tx: Tx, where: RawBuilder<unknown>) {
  await sql`delete from events where ${where}
    and (position is null or position > (select position from relay_cursor))`.execute(tx)
}

interface EventChange {
  /** Stays where none is given. */
  type?: string
  /** Fields that take the place of those in the payload. */
  payload: object
}

/** Changes kept events that fit a condition, with those that were set aside, whose reasons may quote what they said. */
export async function changeKeptEvents(
  tx: Tx,
  where: RawBuilder<unknown>,
  { type, payload }: EventChange,
  reason: string,
) {
  const change = sql`type = coalesce(${type ?? null}, type), payload = payload || ${JSON.stringify(payload)}::jsonb`
  await sql`update events set ${change} where ${where}`.execute(tx)
  await sql`update set_aside_events set ${change}, reason = ${reason} where ${where}`.execute(tx)
}
