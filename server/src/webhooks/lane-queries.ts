import { sql } from 'kysely'
import type { Tx } from '../platform/db/index.js'
import type { Address } from './address.js'

/** What waits for the address is due at once, also what waited for its next attempt; what was retried alone is back in order. */
export async function updateLanesDue(tx: Tx, { bot_id, endpoint_id }: Address, now: Date) {
  await sql`
    with waiting as (
      update deliveries d set next_attempt_at = null, alone = false
      where bot_id = ${bot_id} and endpoint_id = ${endpoint_id} and state = 'pending' and held_until is null
        and (next_attempt_at is not null or alone)
        and not exists (select from delivery_lanes own
          where own.bot_id = d.bot_id and own.endpoint_id = d.endpoint_id and own.replay_id = d.replay_id
            and own.chat_id = -d.id and own.worker_id is not null)
      returning bot_id, endpoint_id, replay_id, chat_id
    )
    insert into delivery_lanes (bot_id, endpoint_id, replay_id, chat_id, due_at)
    select distinct bot_id, endpoint_id, replay_id, chat_id, ${now}::timestamptz from waiting order by 1, 2, 3, 4
    on conflict (bot_id, endpoint_id, replay_id, chat_id) do nothing`.execute(tx)
  await sql`
    delete from delivery_lanes
    where bot_id = ${bot_id} and endpoint_id = ${endpoint_id} and chat_id < 0 and worker_id is null`.execute(
    tx,
  )
  await sql`
    update delivery_lanes set due_at = ${now}, version = version + 1
    where bot_id = ${bot_id} and endpoint_id = ${endpoint_id}`.execute(tx)
}

/** Lanes of the address that no worker holds wait until they are made due again. */
export async function updateLanesPaused(tx: Tx, { bot_id, endpoint_id }: Address) {
  await sql`
    update delivery_lanes set due_at = 'infinity'
    where bot_id = ${bot_id} and endpoint_id = ${endpoint_id} and worker_id is null`.execute(tx)
}

/** Drops what waits for an address that is gone. */
export async function cancelWaitingAt(tx: Tx, { bot_id, endpoint_id }: Address) {
  await sql`
    update deliveries set state = 'cancelled', next_attempt_at = null
    where bot_id = ${bot_id} and endpoint_id = ${endpoint_id} and state = 'pending' and held_until is null`.execute(
    tx,
  )
  await sql`delete from delivery_lanes where bot_id = ${bot_id} and endpoint_id = ${endpoint_id}`.execute(tx)
}

/** Drops what waits for a bot that is gone, at any address. */
export async function cancelWaiting(tx: Tx, botId: number) {
  await sql`update deliveries set state = 'cancelled', next_attempt_at = null
    where bot_id = ${botId} and state = 'pending' and held_until is null`.execute(tx)
  await sql`delete from delivery_lanes where bot_id = ${botId}`.execute(tx)
}
