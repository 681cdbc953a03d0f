import { plainArray } from '../platform/db/array.js'
import { type AutocommitPool, writeRows } from '../platform/db/index.js'
import { onlySql } from '../platform/db/only-sql.js'
import { isLaneOf } from './lane-sql.js'

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
  /** The first delivery that was claimed and not ended, or after all of them; null where none was claimed. */
  next_id: number | null
  settlements: Settlement[]
}

/**
 * A lane that nothing joined begins after what was settled, else no later than what joined it. Processes of an earlier version
 * do not say what they added; after them a lane begins at its start.
 */
const FIRST_ID = `
  case when lane.version <> released.version and lane.came_id is null then 0
    else least(coalesce(released.next_id, lane.first_id), lane.came_id) end`

/** By its id alone: few are pending when the database looks, and it would rather read all that there are than one for each result. */
const IS_SETTLED = onlySql('deliveries.id', 'result.id')

const SETTLE = `
  with delivered as (
    update deliveries set state = 'delivered', attempts = result.number, next_attempt_at = null,
      delivered_at = to_timestamp(result.at_ms / 1000), delivered_status = result.status, delivered_ms = result.duration_ms
    from unnest($1::bigint[], $2::int[], $3::float8[], $4::int[], $5::int[]) as result (id, number, at_ms, status, duration_ms)
    where ${IS_SETTLED} and deliveries.state = 'pending'
  ), tried as (
    insert into delivery_attempts (delivery_id, number, at, status, duration_ms, error)
    select * from unnest($6::bigint[], $7::int[], $8::timestamptz[], $9::int[], $10::int[], $11::text[])
    on conflict do nothing
  ), settled as (
    update deliveries set state = result.state, attempts = result.number, next_attempt_at = result.next_attempt_at,
      alone = alone or result.steps_aside, late = late or result.steps_aside
    from unnest($12::bigint[], $13::int[], $14::text[], $15::timestamptz[], $16::boolean[])
      as result (id, number, state, next_attempt_at, steps_aside)
    where ${IS_SETTLED} and deliveries.state = 'pending'
    returning deliveries.id, deliveries.bot_id, deliveries.endpoint_id, deliveries.replay_id, deliveries.next_attempt_at,
      result.steps_aside
  ), own_lanes as (
    insert into delivery_lanes (bot_id, endpoint_id, replay_id, chat_id, due_at)
    select bot_id, endpoint_id, replay_id, -id, next_attempt_at from settled where steps_aside
  ), lanes as materialized (
    select lane.bot_id, lane.endpoint_id, lane.replay_id, lane.chat_id, released.due_at, ${FIRST_ID} as first_id,
      released.due_at is null and lane.version = released.version as empty
    from delivery_lanes lane
    join unnest($17::bigint[], $18::bigint[], $19::bigint[], $20::bigint[], $21::bigint[], $22::uuid[], $23::timestamptz[],
        $24::bigint[])
      as released (bot_id, endpoint_id, replay_id, chat_id, version, worker_id, due_at, next_id)
      on ${isLaneOf('released')}
    where lane.worker_id is not distinct from released.worker_id
    order by released.bot_id, released.endpoint_id, released.replay_id, released.chat_id for update of lane
  ), dropped as (
    delete from delivery_lanes lane using lanes
    where lanes.empty and ${isLaneOf('lanes')}
  )
  update delivery_lanes lane set worker_id = null, due_at = coalesce(lanes.due_at, $25), first_id = lanes.first_id, came_id = null
  from lanes
  where not lanes.empty and ${isLaneOf('lanes')}`

/** Parameters about what succeeded at an attempt, which is the rule. */
function deliveredValues(settlements: readonly Settlement[]): unknown[] {
  const delivered = settlements.filter(({ state, tried }) => state === 'delivered' && tried !== null)
  return [
    plainArray(delivered.map((one) => one.delivery_id)),
    plainArray(delivered.map((one) => one.number)),
    plainArray(delivered.map((one) => one.tried?.at.getTime() ?? null)),
    plainArray(delivered.map((one) => one.tried?.status ?? null)),
    plainArray(delivered.map((one) => one.tried?.duration_ms ?? null)),
  ]
}

/** Parameters about what failed, or was dropped untried. */
function otherValues(settlements: readonly Settlement[]): unknown[] {
  const others = settlements.filter(({ state }) => state !== 'delivered')
  const tried = others.filter((one) => one.tried !== null)
  return [
    tried.map((one) => one.delivery_id),
    tried.map((one) => one.number),
    tried.map((one) => one.tried?.at),
    tried.map((one) => one.tried?.status),
    tried.map((one) => one.tried?.duration_ms),
    tried.map((one) => one.tried?.error),
    others.map((one) => one.delivery_id),
    others.map((one) => one.number),
    others.map((one) => one.state),
    others.map((one) => one.next_attempt_at),
    others.map((one) => one.steps_aside),
  ]
}

/** Writes down what became of many lanes at once: attempts, states, and the lanes themselves. */
export async function settleAll(pool: AutocommitPool, releases: readonly Release[], now: Date) {
  const settlements = releases.flatMap((release) => release.settlements)
  await writeRows(pool, SETTLE, [
    ...deliveredValues(settlements),
    ...otherValues(settlements),
    releases.map((one) => one.bot_id),
    releases.map((one) => one.endpoint_id),
    releases.map((one) => one.replay_id),
    releases.map((one) => one.chat_id),
    releases.map((one) => one.version),
    releases.map((one) => one.worker_id),
    releases.map((one) => one.due_at),
    releases.map((one) => one.next_id),
    now,
  ])
}
