import { type AutocommitPool, writeRows } from '../platform/db/index.js'

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
}

export interface ClaimedLane {
  bot_id: number
  /** 0 where the events belong to no chat; the negative id of a delivery that is retried alone. */
  chat_id: number
  version: number
  worker_id: string
  url: string
  origin: string
  signing_secrets: string[]
  /** Failures in a row of this bot's address, as of the claim. */
  failures: number
  deliveries: ClaimedDelivery[]
  /** More may wait behind the ones taken. */
  more: boolean
}

/** A bot is failing after this many failures in a row; it then gets fewer senders. */
const FAILING_AFTER = 10
const PER_BOT = 16
const PER_FAILING_BOT = 4
/** Below the connections of a host, so that buttons always find one free. */
const PER_ORIGIN = 48

/** How many lanes a bot may have in flight. */
export function capOf(failures: number): number {
  return failures >= FAILING_AFTER ? PER_FAILING_BOT : PER_BOT
}

/** Lanes that can be taken, and what is in flight already: of each bot its room, of each host likewise. */
export interface Room {
  lanes: number
  bots: ReadonlyMap<number, { lanes: number; cap: number }>
  origins: ReadonlyMap<string, number>
}

const COLUMNS = 'id, event_id, event_type, payload, attempts, attempts_before, alone, late'

const CLAIM = `
  with busy_bots as materialized (select * from unnest($3::bigint[], $4::int[]) as busy (id, room)),
  busy_origins as materialized (select * from unnest($5::text[], $6::int[]) as busy (origin, room)),
  due as materialized (
    select lane.bot_id, lane.chat_id, lane.due_at, bots.outgoing_origin as origin, bots.failures
    from delivery_lanes lane join bots on bots.user_id = lane.bot_id
    where lane.worker_id is null and lane.due_at <= $2 and bots.paused_at is null
      and lane.bot_id <> all ($7::bigint[]) and bots.outgoing_origin <> all ($8::text[])
    order by lane.due_at limit $9
    for update of lane skip locked
  ), fair as (
    select *, row_number() over (partition by origin order by due_at) as origin_place
    from (select *, row_number() over (partition by bot_id order by due_at) as bot_place from due) as ranked
    where bot_place <= coalesce(
      (select room from busy_bots where busy_bots.id = ranked.bot_id),
      case when failures >= ${FAILING_AFTER} then ${PER_FAILING_BOT} else ${PER_BOT} end)
  ), chosen as (
    select bot_id, chat_id from fair
    where origin_place <= coalesce((select room from busy_origins where busy_origins.origin = fair.origin), ${PER_ORIGIN})
    order by due_at limit $10
  ), claimed as (
    update delivery_lanes lane set worker_id = $1 from chosen
    where lane.bot_id = chosen.bot_id and lane.chat_id = chosen.chat_id
    returning lane.bot_id, lane.chat_id, lane.version, lane.due_at
  )
  select claimed.bot_id, claimed.chat_id, claimed.version, bots.outgoing_url as url, bots.outgoing_origin as origin,
    array_remove(array[bots.signing_secret, case when bots.old_secret_until > $2 then bots.old_signing_secret end], null)
      as signing_secrets, bots.failures, (select count(*) from due) as seen, waiting.*
  from claimed join bots on bots.user_id = claimed.bot_id
  left join lateral (
    (select ${COLUMNS} from deliveries
     where deliveries.bot_id = claimed.bot_id and deliveries.chat_id = claimed.chat_id
       and state = 'pending' and held_until is null and not alone
     order by id limit ${LANE_BATCH})
    union all
    select ${COLUMNS} from deliveries
    where claimed.chat_id < 0 and deliveries.id = -claimed.chat_id and state = 'pending' and alone
  ) as waiting on true
  order by claimed.due_at, claimed.bot_id, claimed.chat_id, waiting.id`

type Row = Omit<ClaimedLane, 'deliveries' | 'more' | 'worker_id'> &
  ClaimedDelivery & { id: number | null; seen: number }

export interface Claim {
  lanes: ClaimedLane[]
  /** Lanes beyond those that were looked at may be free to take. */
  more: boolean
}

/** Takes lanes that are due, in the order they became so, within the room that bots and hosts have. */
export async function claimLanes(
  pool: AutocommitPool,
  worker_id: string,
  now: Date,
  room: Room,
): Promise<Claim> {
  const window = room.lanes * WINDOW
  const bots = [...room.bots].map(([bot, { lanes, cap }]) => ({ bot, room: cap - lanes }))
  const origins = [...room.origins].map(([origin, lanes]) => ({ origin, room: PER_ORIGIN - lanes }))
  const found = await writeRows<Row>(pool, CLAIM, [
    worker_id,
    now,
    bots.map(({ bot }) => bot),
    bots.map((busy) => busy.room),
    origins.map(({ origin }) => origin),
    origins.map((busy) => busy.room),
    bots.filter((busy) => busy.room <= 0).map(({ bot }) => bot),
    origins.filter((busy) => busy.room <= 0).map(({ origin }) => origin),
    window,
    room.lanes,
  ])
  return { lanes: byLane(found, worker_id), more: (found[0]?.seen ?? 0) === window }
}

function byLane(found: Row[], worker_id: string): ClaimedLane[] {
  const lanes = new Map<string, ClaimedLane>()
  for (const {
    bot_id,
    chat_id,
    version,
    url,
    origin,
    signing_secrets,
    failures,
    seen,
    ...delivery
  } of found) {
    const key = `${bot_id}:${chat_id}`
    let lane = lanes.get(key)
    if (!lane) {
      const about = { bot_id, chat_id, version, worker_id, url, origin, signing_secrets, failures }
      lane = { ...about, deliveries: [], more: false }
      lanes.set(key, lane)
    }
    if (delivery.id !== null) lane.deliveries.push(delivery)
    lane.more = lane.deliveries.length === LANE_BATCH
  }
  return [...lanes.values()]
}
