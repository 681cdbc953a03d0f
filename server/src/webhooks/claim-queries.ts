import { type AutocommitPool, writeRows } from '../platform/db/index.js'
import { type KeptKeys, keptKeysOf } from './keys.js'
import { isLaneOf } from './lane-sql.js'

/** Deliveries of one lane that are taken at once; after them other lanes have their turn. */
export const LANE_BATCH = 16
/** Lanes that are looked at for each one that can be taken, so that a bot with many of them hides nobody else's. */
const WINDOW = 4

export interface ClaimedDelivery {
  id: number
  event_id: string
  event_type: string
  payload: string
  attempts: number
  attempts_before: number
  /** In a lane of its own. */
  alone: boolean
  /** Those behind it may have passed. */
  late: boolean
  /** When it happened, where a replay sends it. */
  original_at: Date | null
}

export interface ClaimedLane extends KeptKeys {
  bot_id: number
  endpoint_id: number
  /** 0 for what happened just now. */
  replay_id: number
  /** 0 where the events belong to no chat; the negative id of a delivery that is retried alone. */
  chat_id: number
  version: number
  worker_id: string
  url: string
  origin: string
  /** Failures in a row of the address, as of the claim. */
  failures: number
  deliveries: ClaimedDelivery[]
  /** More may wait behind the ones taken. */
  more: boolean
}

/** An address is failing after this many failures in a row; it then gets fewer senders. */
const FAILING_AFTER = 10
const PER_ADDRESS = 16
const PER_FAILING_ADDRESS = 4
const PER_REPLAY = 4
/** Below the connections of a host, so that buttons always find one free. */
const PER_ORIGIN = 48

type Address = Pick<ClaimedLane, 'bot_id' | 'endpoint_id' | 'replay_id'>

/** How many lanes an address may have in flight; a replay to it has some of its own. */
export function capOf({ failures, replay_id }: Pick<ClaimedLane, 'failures' | 'replay_id'>): number {
  if (replay_id !== 0) return PER_REPLAY
  return failures >= FAILING_AFTER ? PER_FAILING_ADDRESS : PER_ADDRESS
}

export interface Busy extends Address {
  lanes: number
  cap: number
}

/** Lanes that can be taken, and what is in flight already: of each address its room, of each host likewise. */
export interface Room {
  lanes: number
  addresses: ReadonlyMap<string, Busy>
  origins: ReadonlyMap<string, number>
}

const OF_DELIVERY = [
  'id',
  'event_id',
  'event_type',
  'payload',
  'attempts',
  'attempts_before',
  'alone',
  'late',
  'original_at',
]
const COLUMNS = OF_DELIVERY.join(', ')
const NO_DELIVERY = OF_DELIVERY.map((column) => `null as ${column}`).join(', ')
/** In place of the columns of a lane, in the rows of its deliveries. */
const NO_LANE = Array(12).fill('null').join(', ')
const KEY = 'bot_id, endpoint_id, replay_id, chat_id'

/**
 * `worker_id is null` in place of the first condition of `locked` would walk all lanes that are due; `chat_id =` and the order of
 * ids alone, all deliveries. The version is that of the moment in which the deliveries are read: what joins before the lane is
 * locked is not among them.
 */
const CLAIM = `
  with busy as materialized (
    select * from unnest($3::bigint[], $4::bigint[], $5::bigint[], $6::int[]) as busy (bot_id, endpoint_id, replay_id, room)
  ), busy_origins as materialized (select * from unnest($7::text[], $8::int[]) as busy (origin, room)),
  due as materialized (
    select lane.bot_id, lane.endpoint_id, lane.replay_id, lane.chat_id, lane.version, lane.due_at, address.origin,
      address.failures
    from delivery_lanes lane join webhook_addresses address using (bot_id, endpoint_id)
    where lane.worker_id is null and lane.due_at <= $2 and address.paused_at is null
      and not exists (select from busy where busy.room <= 0 and busy.bot_id = lane.bot_id
        and busy.endpoint_id = lane.endpoint_id and busy.replay_id = lane.replay_id)
      and address.origin <> all ($9::text[])
    order by lane.due_at limit $10
  ), fair as (
    select *, row_number() over (partition by origin order by due_at) as origin_place
    from (
      select *, row_number() over (partition by bot_id, endpoint_id, replay_id order by due_at) as address_place from due
    ) as ranked
    where address_place <= coalesce(
      (select room from busy where busy.bot_id = ranked.bot_id and busy.endpoint_id = ranked.endpoint_id
        and busy.replay_id = ranked.replay_id),
      case when replay_id <> 0 then ${PER_REPLAY} when failures >= ${FAILING_AFTER} then ${PER_FAILING_ADDRESS}
        else ${PER_ADDRESS} end)
  ), chosen as materialized (
    select ${KEY}, version, row_number() over (order by due_at) as lane from fair
    where origin_place <= coalesce((select room from busy_origins where busy_origins.origin = fair.origin), ${PER_ORIGIN})
    order by due_at limit $11
  ), locked as materialized (
    select chosen.* from delivery_lanes lane join chosen on ${isLaneOf('chosen')}
    where coalesce(lane.worker_id, $1) = $1 and lane.due_at <= $2 for update of lane skip locked
  ), claimed as (
    update delivery_lanes lane set worker_id = $1 from locked
    where ${isLaneOf('locked')}
    returning lane.bot_id, lane.endpoint_id, lane.replay_id, lane.chat_id, locked.version, locked.lane,
      least(lane.first_id, lane.came_id) as first_id
  )
  select lane, claimed.bot_id, claimed.endpoint_id, claimed.replay_id, claimed.chat_id, claimed.version, address.url,
    address.origin, ${keptKeysOf('address', '$2')}, address.failures, (select count(*) from due) as seen, ${NO_DELIVERY}
  from claimed join webhook_addresses address using (bot_id, endpoint_id)
  union all
  select lane, ${NO_LANE}, waiting.*
  from claimed cross join lateral (
    (select ${COLUMNS} from deliveries
     where bot_id = claimed.bot_id and endpoint_id = claimed.endpoint_id and replay_id = claimed.replay_id
       and (chat_id, id) >= (claimed.chat_id, claimed.first_id) and chat_id <= claimed.chat_id
       and state = 'pending' and held_until is null and not alone
     order by chat_id, id limit ${LANE_BATCH})
    union all
    select ${COLUMNS} from deliveries
    where claimed.chat_id < 0 and deliveries.id = -claimed.chat_id and state = 'pending' and alone
  ) as waiting
  order by id nulls first, lane`

type LaneRow = Omit<ClaimedLane, 'deliveries' | 'more' | 'worker_id'> & { seen: number }
/** A lane, or one of its deliveries: so that what holds for the lane is sent once. */
type Row = { lane: number } & (({ id: null } & LaneRow) | ClaimedDelivery)

export interface Claim {
  lanes: ClaimedLane[]
  /** Lanes beyond those that were looked at may be free to take. */
  more: boolean
}

/**
 * Takes lanes that are due, in the order they became so, within the room that addresses and hosts have. Only those that
 * are taken are locked; what another process takes at the same moment is left to it.
 */
export async function claimLanes(
  pool: AutocommitPool,
  worker_id: string,
  now: Date,
  room: Room,
): Promise<Claim> {
  const window = room.lanes * WINDOW
  const busy = [...room.addresses.values()]
  const origins = [...room.origins].map(([origin, lanes]) => ({ origin, room: PER_ORIGIN - lanes }))
  const found = await writeRows<Row>(pool, CLAIM, [
    worker_id,
    now,
    busy.map((one) => one.bot_id),
    busy.map((one) => one.endpoint_id),
    busy.map((one) => one.replay_id),
    busy.map((one) => one.cap - one.lanes),
    origins.map(({ origin }) => origin),
    origins.map((one) => one.room),
    origins.filter((one) => one.room <= 0).map(({ origin }) => origin),
    window,
    room.lanes,
  ])
  const [first] = found
  return { lanes: byLane(found, worker_id), more: first?.id === null && first.seen === window }
}

function byLane(found: readonly Row[], worker_id: string): ClaimedLane[] {
  const lanes = new Map<number, ClaimedLane>()
  for (const row of found) {
    const lane = lanes.get(row.lane)
    if (row.id === null) lanes.set(row.lane, laneOf(row, worker_id))
    else lane?.deliveries.push(deliveryOf(row))
  }
  for (const lane of lanes.values()) lane.more = lane.deliveries.length === LANE_BATCH
  return [...lanes.values()]
}

function laneOf(row: LaneRow, worker_id: string): ClaimedLane {
  return {
    bot_id: row.bot_id,
    endpoint_id: row.endpoint_id,
    replay_id: row.replay_id,
    chat_id: row.chat_id,
    version: row.version,
    worker_id,
    url: row.url,
    origin: row.origin,
    failures: row.failures,
    signing_secrets: row.signing_secrets,
    sealed_keys: row.sealed_keys,
    sealed_headers: row.sealed_headers,
    deliveries: [],
    more: false,
  }
}

function deliveryOf(row: ClaimedDelivery): ClaimedDelivery {
  const { id, event_id, event_type, payload, attempts, attempts_before, alone, late, original_at } = row
  return { id, event_id, event_type, payload, attempts, attempts_before, alone, late, original_at }
}

export function addressKey({ bot_id, endpoint_id, replay_id }: Address): string {
  return `${bot_id}:${endpoint_id}:${replay_id}`
}
