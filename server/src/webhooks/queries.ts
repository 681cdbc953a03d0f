import { sql } from 'kysely'
import { anyId } from '../platform/db/any-sql.js'
import { plainArray } from '../platform/db/array.js'
import { type Db, type Pool, rows as run, type Tx } from '../platform/db/index.js'
import { JOINED } from './lane-sql.js'
import type { Listener } from './rules.js'
import { stamped } from './sign.js'
import type { BotEvent } from './translate.js'

export interface NewDelivery {
  bot_id: number
  /** 0 for the address in the settings of the bot. */
  endpoint_id: number
  /** 0 where the event belongs to no chat. */
  chat_id: number
  event_id: string
  event_type: string
  /** The message whose text or links it holds. */
  message_id: number | null
  /** Of the event; null for what is sent past the lanes. */
  position: number | null
  payload: string
  created_at: Date
}

export interface Listening extends Listener {
  endpoint_id: number
  unfurl_domains: string[]
  events_history_enabled: boolean
  sends: boolean
}

/** An address, and the last position that it hears of a chat: infinite unless its bot was removed. */
type Heard = Listening & { place: number; until: number }

export interface HeardChats {
  chats: ReadonlySet<number>
  /** Some bot asks for links, in whichever chat. */
  links: boolean
}

/**
 * Of these chats those that have a bot, or had somebody removed at this position or later. Most have none, and a look into two
 * indexes costs a tenth of `listListeners`. Nobody hears what this misses: who is removed after an event is named by a
 * removal that commits with it.
 */
export async function listHeardChats(
  tx: Tx,
  chatIds: readonly number[],
  position: number,
): Promise<HeardChats> {
  const chats = plainArray(chatIds)
  const { rows } = await sql<{ heard: string | null; links: boolean }>`
    select
      (select string_agg(chat_id::text, ',') from (
        select chat_id from chat_members where bot and chat_id = any (${chats}::bigint[])
        union
        select chat_id from events where type = 'chat_members.removed' and chat_id = any (${chats}::bigint[])
          and (position is null or position >= ${position})) as found) as heard,
      exists (select from bots where 'message_link_shared' = any (events))
        or exists (select from endpoints where 'message_link_shared' = any (events)) as links`.execute(tx)
  const { heard = null, links = false } = rows[0] ?? {}
  return { chats: new Set(heard?.split(',').map(Number)), links }
}

/** Events of one kind and chat have the same listeners: the first of each such group, and the group of each event. */
function groupEvents(events: readonly BotEvent[]) {
  const places = new Map<string, number>()
  const groups: BotEvent[] = []
  const placeOf = events.map((event) => {
    const key = `${event.event_type} ${event.chat_id} ${event.root_chat_id}`
    const place = places.get(key) ?? groups.push(event) - 1
    places.set(key, place)
    return place
  })
  return { groups, placeOf }
}

/**
 * Who is subscribed and entitled to hear of each: bots in the chat, in the chat its thread hangs in, or in either until
 * a removal, which they hear of themselves; for links and news of the workspace, bots wherever they are. For each event,
 * in the order of positions, every address of a bot that asks for it; a suspended bot hears nothing.
 */
export async function listListeners(tx: Tx, events: readonly BotEvent[]): Promise<Listening[][]> {
  const { groups, placeOf } = groupEvents(events)
  const { rows } = await sql<Heard>`
    with told as (
      select * from unnest(
        ${plainArray(groups.map((_, place) => place))}::int[], ${groups.map((one) => one.event_type)}::text[],
        ${plainArray(groups.map((one) => one.chat_id))}::bigint[], ${plainArray(groups.map((one) => one.root_chat_id))}::bigint[],
        ${plainArray(groups.map((one) => one.position))}::bigint[]
      ) as told (place, event_type, chat_id, root_chat_id, position)
    ), rooms as (
      select place, chat_id as room_id, position from told where chat_id <> 0 and event_type <> 'message_link_shared'
      union
      select place, root_chat_id, position from told where chat_id <> 0 and event_type <> 'message_link_shared'
    ), heard as (
      select place, user_id, max(until) as until from (
        select rooms.place, members.user_id, 'infinity'::float8 as until
        from rooms join chat_members members on members.chat_id = rooms.room_id and members.bot
        union all
        select rooms.place, gone.id::bigint, coalesce(removal.position::float8, 'infinity')
        from rooms
        join events removal on removal.type = 'chat_members.removed' and removal.chat_id = rooms.room_id
          and (removal.position is null or removal.position >= rooms.position)
        cross join jsonb_array_elements_text(removal.payload -> 'user_ids') as gone (id)
        union all
        select told.place, bots.user_id, 'infinity'
        from told join bots on told.event_type = any (bots.events)
        where told.chat_id = 0 or told.event_type = 'message_link_shared'
        union all
        select told.place, endpoints.bot_id, 'infinity'
        from told join endpoints on told.event_type = any (endpoints.events)
        where told.chat_id = 0 or told.event_type = 'message_link_shared'
      ) as found group by place, user_id
    )
    select told.place, heard.until, bots.user_id as id, address.endpoint_id, address.trigger_on, bots.commands,
      bots.ignore_self_messages, bots.unfurl_domains, address.events_history_enabled, address.sends
    from heard
    join told using (place)
    join bots on bots.user_id = heard.user_id
    join users on users.id = bots.user_id and not users.suspended
    cross join lateral (
      select 0::bigint as endpoint_id, bots.trigger_on, bots.events_history_enabled, bots.outgoing_url <> '' as sends
      where told.event_type = any (bots.events) and (bots.outgoing_url <> '' or bots.events_history_enabled)
      union all
      select id, trigger, false, true from endpoints
      where endpoints.bot_id = bots.user_id and not disabled and told.event_type = any (endpoints.events)
        and (chat_ids is null or told.chat_id = 0 or told.chat_id = any (chat_ids) or told.root_chat_id = any (chat_ids))
    ) as address
    where bots.leash is null or told.chat_id = 0 or exists (
      select from jsonb_array_elements(bots.leash) as limits where leash_allows(limits, told.chat_id))
    order by told.place, bots.user_id, address.endpoint_id`.execute(tx)
  const byGroup = groups.map((): Heard[] => [])
  for (const row of rows) byGroup[row.place]?.push(row)
  return events.map(({ position }, n) =>
    (byGroup[placeOf[n] as number] as Heard[]).filter(({ until }) => position <= until),
  )
}

const SHARED = ['position', 'chat_id', 'message_id', 'event_type', 'payload', 'created_at'] as const

/** What deliveries of one event to many bots have in common, each once, and which of them each delivery is of. */
function shareBodies(made: readonly NewDelivery[]) {
  const bodies: NewDelivery[] = []
  const numbers = made.map((one) => {
    const last = bodies.at(-1)
    return last && SHARED.every((name) => last[name] === one[name]) ? bodies.length : bodies.push(one)
  })
  return { bodies, numbers }
}

/** Writes deliveries in their order, and opens or moves the lane of each address and chat. */
export async function insertDeliveries(tx: Tx, made: readonly NewDelivery[]) {
  const { bodies, numbers } = shareBodies(made)
  await sql`
    with made as (
      insert into deliveries (bot_id, endpoint_id, chat_id, event_id, event_type, message_id, position, payload, state, created_at)
      select bot_id, endpoint_id, chat_id, event_id, event_type, message_id, position, payload, 'pending', created_at
      from unnest(
        ${plainArray(made.map((one) => one.bot_id))}::bigint[], ${plainArray(made.map((one) => one.endpoint_id))}::bigint[],
        ${made.map((one) => one.event_id)}::text[], ${plainArray(numbers)}::int[]
      ) with ordinality as given (bot_id, endpoint_id, event_id, number, place)
      join unnest(
        ${bodies.map((one) => one.chat_id)}::bigint[], ${bodies.map((one) => one.event_type)}::text[],
        ${bodies.map((one) => one.message_id)}::bigint[], ${bodies.map((one) => one.position)}::bigint[],
        ${bodies.map((one) => one.payload)}::text[], ${bodies.map((one) => one.created_at)}::timestamptz[]
      ) with ordinality as body (chat_id, event_type, message_id, position, payload, created_at, number) using (number)
      order by place
      returning id, bot_id, endpoint_id, chat_id, created_at
    )
    insert into delivery_lanes (bot_id, endpoint_id, chat_id, due_at, first_id)
    select bot_id, endpoint_id, chat_id, min(created_at), min(id) from made
    group by bot_id, endpoint_id, chat_id order by bot_id, endpoint_id, chat_id
    on conflict (bot_id, endpoint_id, replay_id, chat_id) do update set ${JOINED}`.execute(tx)
}

/** Saves events for the bots that poll; their stamp is the time of queueing. */
export async function insertQueued(tx: Tx, made: readonly NewDelivery[]) {
  const payloads = made.map(({ payload, created_at }) =>
    stamped(payload, Math.floor(created_at.getTime() / 1000)),
  )
  await sql`
    insert into queued_events (id, bot_id, event_type, message_id, position, payload, created_at)
    select id, bot_id, event_type, message_id, position, payload, created_at
    from unnest(
      ${made.map((one) => one.event_id)}::text[], ${made.map((one) => one.bot_id)}::bigint[],
      ${made.map((one) => one.event_type)}::text[], ${made.map((one) => one.message_id)}::bigint[],
      ${made.map((one) => one.position)}::bigint[], ${payloads}::text[], ${made.map((one) => one.created_at)}::timestamptz[]
    ) with ordinality as given (id, bot_id, event_type, message_id, position, payload, created_at, place)
    order by place
    on conflict (bot_id, id) do nothing`.execute(tx)
}

/** Whether anything waits to be sent: asked before a process takes part in sending. The first lane is one look into an index. */
export async function isDue(pool: Pool, now: Date): Promise<boolean> {
  const [found] = await run<{ due: boolean | null }>(
    pool,
    'select min(due_at) <= $1 as due from delivery_lanes where worker_id is null',
    [now],
  )
  return found?.due ?? false
}

/** Mail and first name of these people and bots, as far as they are there. */
export function listMailed(db: Db, ids: readonly number[]) {
  return db
    .selectFrom('users')
    .select(['id', 'email', 'first_name'])
    .where('id', '=', anyId(ids))
    .where('deleted_at', 'is', null)
    .execute()
}
