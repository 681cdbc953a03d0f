import { sql } from 'kysely'
import type { Tx } from '../platform/db/index.js'
import type { Address } from './address.js'

const waitingAt = ({ bot_id, endpoint_id }: Address) =>
  sql`select id from waiting_deliveries where bot_id = ${bot_id} and endpoint_id = ${endpoint_id}`

/** What waits for the address is due at once, also what waited for its next attempt; what was retried alone is back in order. */
export async function updateLanesDue(tx: Tx, { bot_id, endpoint_id }: Address, now: Date) {
  await sql`
    with waiting as (
      update deliveries d set next_attempt_at = null, alone = false
      where id in (${waitingAt({ bot_id, endpoint_id })}) and (next_attempt_at is not null or alone)
        and not exists (select from delivery_lanes own
          where own.bot_id = d.bot_id and own.endpoint_id = d.endpoint_id and own.replay_id = d.replay_id
            and own.chat_id = -d.id and own.worker_id is not null)
      returning id, bot_id, endpoint_id, replay_id, chat_id
    )
    insert into delivery_lanes (bot_id, endpoint_id, replay_id, chat_id, due_at, first_id)
    select bot_id, endpoint_id, replay_id, chat_id, ${now}::timestamptz, min(id) from waiting
    group by 1, 2, 3, 4 order by 1, 2, 3, 4
    on conflict (bot_id, endpoint_id, replay_id, chat_id) do update set
      came_id = least(delivery_lanes.came_id, excluded.first_id)`.execute(tx)
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
    where id in (${waitingAt({ bot_id, endpoint_id })})`.execute(tx)
  await sql`delete from delivery_lanes where bot_id = ${bot_id} and endpoint_id = ${endpoint_id}`.execute(tx)
}

/** Drops what waits for a bot that is gone, at any address. */
export async function cancelWaiting(tx: Tx, botId: number) {
  await sql`update deliveries set state = 'cancelled', next_attempt_at = null
    where id in (select id from waiting_deliveries where bot_id = ${botId})`.execute(tx)
  await sql`delete from delivery_lanes where bot_id = ${botId}`.execute(tx)
}
