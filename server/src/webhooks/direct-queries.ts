import { sql } from 'kysely'
import { type Autocommit, type Db, type Pool, read, rows, type Tx } from '../platform/db/index.js'
import { JOINED } from './lane-sql.js'
import type { NewDelivery } from './queries.js'

export interface Receiver {
  outgoing_url: string
  signing_secrets: string[]
  events_history_enabled: boolean
  paused_at: Date | null
}

/** Buttons and forms reach bots without a subscription. */
export async function findReceiver(db: Db, botId: number, now: Date): Promise<Receiver | undefined> {
  const found = await read(
    db,
    sql<Receiver>`
    select outgoing_url, events_history_enabled, paused_at,
      array_remove(array[signing_secret, case when old_secret_until > ${now} then old_signing_secret end], null)
        as signing_secrets
    from bots where user_id = ${botId}`,
  )
  return found[0]
}

/** Adds a delivery that its sender holds for so long from now. */
export async function insertHeld(tx: Tx, row: NewDelivery, held_s: number): Promise<number> {
  const { rows: made } = await sql<{ id: number }>`
    insert into deliveries (bot_id, chat_id, event_id, event_type, payload, state, held_until, created_at)
    values (${row.bot_id}, ${row.chat_id}, ${row.event_id}, ${row.event_type}, ${row.payload}, 'pending',
      clock_timestamp() + make_interval(secs => ${held_s}), ${row.created_at})
    returning id`.execute(tx)
  return (made[0] as { id: number }).id
}

interface Tried {
  at: Date
  status: number | null
  duration_ms: number
  error: string | null
}

/** Settles a delivery that was held, with its one attempt. */
export async function settleHeld(
  db: Autocommit,
  id: number,
  state: 'delivered' | 'failed',
  { at, status, duration_ms, error }: Tried,
) {
  await sql`
    with tried as (
      insert into delivery_attempts (delivery_id, number, at, status, duration_ms, error)
      values (${id}, 1, ${at}, ${status}, ${duration_ms}, ${error}) on conflict do nothing
    )
    update deliveries set state = ${state}, attempts = 1, held_until = null where id = ${id}`.execute(db)
}

/** Few are held at any time; with the order and a limit the database uses their index, whatever it knows of the table. */
const RELEASED_AT_ONCE = 1_000

/** Gives up what dead processes held: a press goes into the lane of its chat, an answer to a form has failed. */
export async function releaseHeld(db: Autocommit, at: Date) {
  await sql`
    with lost as (
      update deliveries set held_until = null,
        state = case when event_type = 'button_click' then 'pending' else 'failed' end
      where state = 'pending' and id = any (array(
        select id from deliveries where held_until < clock_timestamp() order by held_until limit ${RELEASED_AT_ONCE}))
      returning id, bot_id, chat_id, state
    )
    insert into delivery_lanes (bot_id, chat_id, due_at, first_id)
    select bot_id, chat_id, ${at}::timestamptz, min(id) from lost where state = 'pending' group by 1, 2
    on conflict (bot_id, endpoint_id, replay_id, chat_id) do update set ${JOINED}`.execute(db)
}

export async function isSendingDirect(pool: Pool): Promise<boolean> {
  const [found] = await rows<{ busy: boolean }>(
    pool,
    `select exists (
       select from deliveries where state = 'pending' and held_until > clock_timestamp()) as busy`,
  )
  return found?.busy ?? false
}
