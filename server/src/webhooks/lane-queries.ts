import { sql } from 'kysely'
import type { Tx } from '../platform/db/index.js'

/** What waits for the bot is due at once, also what waited for its next attempt; what was retried alone is back in order. */
export async function updateLanesDue(tx: Tx, botId: number, now: Date) {
  await sql`
    with waiting as (
      update deliveries d set next_attempt_at = null, alone = false
      where bot_id = ${botId} and state = 'pending' and held_until is null and (next_attempt_at is not null or alone)
        and not exists (select from delivery_lanes own
          where own.bot_id = d.bot_id and own.chat_id = -d.id and own.worker_id is not null)
      returning bot_id, chat_id
    )
    insert into delivery_lanes (bot_id, chat_id, due_at)
    select distinct bot_id, chat_id, ${now}::timestamptz from waiting order by 1, 2
    on conflict (bot_id, chat_id) do nothing`.execute(tx)
  await sql`delete from delivery_lanes where bot_id = ${botId} and chat_id < 0 and worker_id is null`.execute(
    tx,
  )
  await sql`update delivery_lanes set due_at = ${now}, version = version + 1 where bot_id = ${botId}`.execute(
    tx,
  )
}

/** Lanes of the bot that no worker holds wait until they are made due again. */
export async function updateLanesPaused(tx: Tx, botId: number) {
  await sql`update delivery_lanes set due_at = 'infinity' where bot_id = ${botId} and worker_id is null`.execute(
    tx,
  )
}

/** Drops what waits for a bot that has no address any more. */
export async function cancelWaiting(tx: Tx, botId: number) {
  await sql`update deliveries set state = 'cancelled', next_attempt_at = null
    where bot_id = ${botId} and state = 'pending' and held_until is null`.execute(tx)
  await sql`delete from delivery_lanes where bot_id = ${botId}`.execute(tx)
}
