import { type AutocommitPool, writeRows } from '../platform/db/index.js'
import { ENDED } from './claim-queries.js'

/** What became of one attempt; without an outcome, of a delivery that was dropped untried. */
export interface Settlement {
  delivery_id: number
  state: 'pending' | 'delivered' | 'failed' | 'cancelled'
  next_attempt_at: Date | null
  number: number
  /** From now on it is retried alone, and those behind it pass. */
  steps_aside: boolean
  tried: { at: Date; status: number | null; duration_ms: number; error: string | null } | null
}

/** A lane that its sender is done with for now. */
export interface Release {
  bot_id: number
  endpoint_id: number
  replay_id: number
  chat_id: number
  version: number
  worker_id: string
  /** Null where nothing was left of it. */
  due_at: Date | null
  settlements: Settlement[]
}

const SETTLE = `
  with tried as (
    insert into delivery_attempts (delivery_id, number, at, status, duration_ms, error)
    select * from unnest($1::bigint[], $2::int[], $3::timestamptz[], $4::int[], $5::int[], $6::text[])
    on conflict do nothing
  ), settled as (
    update deliveries set state = result.state, attempts = result.number, next_attempt_at = result.next_attempt_at,
      alone = alone or result.steps_aside, late = late or result.steps_aside
    from unnest($7::bigint[], $8::int[], $9::text[], $10::timestamptz[], $17::boolean[])
      as result (id, number, state, next_attempt_at, steps_aside)
    where deliveries.id = result.id and deliveries.state not in (${ENDED})
    returning deliveries.id, deliveries.bot_id, deliveries.endpoint_id, deliveries.replay_id, deliveries.next_attempt_at,
      result.steps_aside
  ), own_lanes as (
    insert into delivery_lanes (bot_id, endpoint_id, replay_id, chat_id, due_at)
    select bot_id, endpoint_id, replay_id, -id, next_attempt_at from settled where steps_aside
  ), lanes as materialized (
    select lane.bot_id, lane.endpoint_id, lane.replay_id, lane.chat_id, released.due_at,
      released.due_at is null and lane.version = released.version as empty
    from delivery_lanes lane
    join unnest($11::bigint[], $12::bigint[], $13::bigint[], $14::uuid[], $15::timestamptz[], $18::bigint[], $19::bigint[])
      as released (bot_id, chat_id, version, worker_id, due_at, endpoint_id, replay_id)
      using (bot_id, endpoint_id, replay_id, chat_id)
    where lane.worker_id = released.worker_id
    order by lane.bot_id, lane.endpoint_id, lane.replay_id, lane.chat_id for update of lane
  ), dropped as (
    delete from delivery_lanes lane using lanes
    where lanes.empty and lane.bot_id = lanes.bot_id and lane.endpoint_id = lanes.endpoint_id
      and lane.replay_id = lanes.replay_id and lane.chat_id = lanes.chat_id
  )
  update delivery_lanes lane set worker_id = null, due_at = coalesce(lanes.due_at, $16) from lanes
  where not lanes.empty and lane.bot_id = lanes.bot_id and lane.endpoint_id = lanes.endpoint_id
    and lane.replay_id = lanes.replay_id and lane.chat_id = lanes.chat_id`

/** Writes down what became of many lanes at once: attempts, states, and the lanes themselves. */
export async function settleAll(pool: AutocommitPool, releases: readonly Release[], now: Date) {
  const settlements = releases.flatMap((release) => release.settlements)
  const tried = settlements.filter((one) => one.tried !== null)
  await writeRows(pool, SETTLE, [
    tried.map((one) => one.delivery_id),
    tried.map((one) => one.number),
    tried.map((one) => one.tried?.at),
    tried.map((one) => one.tried?.status),
    tried.map((one) => one.tried?.duration_ms),
    tried.map((one) => one.tried?.error),
    settlements.map((one) => one.delivery_id),
    settlements.map((one) => one.number),
    settlements.map((one) => one.state),
    settlements.map((one) => one.next_attempt_at),
    releases.map((one) => one.bot_id),
    releases.map((one) => one.chat_id),
    releases.map((one) => one.version),
    releases.map((one) => one.worker_id),
    releases.map((one) => one.due_at),
    now,
    settlements.map((one) => one.steps_aside),
    releases.map((one) => one.endpoint_id),
    releases.map((one) => one.replay_id),
  ])
}
