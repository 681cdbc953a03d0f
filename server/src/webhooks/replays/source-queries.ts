import { sql } from 'kysely'
import { type Db, read } from '../../platform/db/index.js'
import type { RelayedEvent } from '../../platform/events/relay.js'

/** A bot as a replay needs it: where the events go, and what it takes of them now. */
export interface ReplayTarget {
  id: number
  created_at: Date
  commands: string[]
  ignore_self_messages: boolean
  unfurl_domains: string[]
  /** Null for the queue. */
  endpoint_id: number | null
  endpoint_name: string
  /** The address takes something; the queue is on. */
  open: boolean
  events: string[]
  chat_ids: number[] | null
  trigger_on: string
}

/** The target of this name; undefined where the bot has no such endpoint. */
export async function findTarget(db: Db, botId: number, name: string): Promise<ReplayTarget | undefined> {
  const rows = await read(
    db,
    sql<ReplayTarget>`
    select b.user_id as id, u.created_at, b.commands, b.ignore_self_messages, b.unfurl_domains, target.*
    from bots b join users u on u.id = b.user_id
    cross join lateral (
      select case when ${name} = 'queue' then null else 0 end::bigint as endpoint_id, ${name} as endpoint_name,
        case when ${name} = 'queue' then b.events_history_enabled else b.outgoing_url <> '' end as open,
        b.events, null::bigint[] as chat_ids, b.trigger_on
      where ${name} in ('queue', 'default')
      union all
      select e.id, e.name, not e.disabled, e.events, e.chat_ids, e.trigger
      from endpoints e where e.bot_id = b.user_id and lower(e.name) = lower(${name})
        and ${name} not in ('queue', 'default')
    ) as target
    where b.user_id = ${botId}`,
  )
  return rows[0]
}

export interface Period {
  from: Date
  to: Date
  chat_ids: number[] | null
}

/** An event of the period, and whether the bot is in its chat since before it. */
export type Candidate = RelayedEvent & { heard: boolean }

/** The position before the first event of the period that can be replayed. */
export async function findStart(db: Db, from: Date): Promise<number> {
  const rows = await read(
    db,
    sql<{ start: number }>`
    select greatest(coalesce((select min(position) - 1 from events where created_at >= ${from}), 0),
      (select replays_after from workspace)) as start`,
  )
  return Number(rows[0]?.start ?? 0)
}

/**
 * The next events of a period that the bot could hear: of chats it is in now and was in then, and within the limits of its
 * tokens; with `links` those of other chats too, and `heard` tells them apart.
 */
export async function listCandidates(
  db: Db,
  botId: number,
  { from, to, chat_ids }: Period,
  page: { after: number; limit: number; types: readonly string[]; links: boolean },
): Promise<Candidate[]> {
  const rows = await read(
    db,
    sql<Candidate>`
    with rooms as materialized (select chat_id, joined_at from chat_members where user_id = ${botId})
    select e.id, e.position, e.type, e.chat_id, e.actor_id, e.payload, e.created_at, seen.heard
    from events e cross join bots b
    cross join lateral (select (e.payload ->> 'root_chat_id')::bigint as chat_id) as root
    cross join lateral (select exists (select from rooms
      where rooms.chat_id in (e.chat_id, root.chat_id) and rooms.joined_at <= e.created_at) as heard) as seen
    where b.user_id = ${botId} and e.position > ${page.after} and e.position <= (select position from relay_cursor)
      and e.created_at >= ${from} and e.created_at <= ${to} and e.type = any (${page.types})
      and (e.chat_id is null or ${page.links}::boolean or seen.heard)
      and (${chat_ids}::bigint[] is null or e.chat_id = any (${chat_ids}) or root.chat_id = any (${chat_ids}))
      and (b.leash is null or e.chat_id is null or exists (
        select from jsonb_array_elements(b.leash) as limits where leash_allows(limits, e.chat_id)))
    order by e.position limit ${page.limit}`,
  )
  return rows.map((row) => ({ ...row, id: Number(row.id), position: Number(row.position) }))
}

/** What was made of an event before: its id, and what became of it at the endpoint. */
export interface Before {
  position: number
  event_type: string
  event_id: string
  made: boolean
  open: boolean
}

/** Earlier deliveries and queue entries of the bot about these events. */
export async function listBefore(
  db: Db,
  botId: number,
  endpointId: number | null,
  positions: readonly number[],
): Promise<Before[]> {
  if (positions.length === 0) return []
  const rows = await read(
    db,
    sql<Before>`
    select position, event_type, min(event_id) as event_id,
      bool_or(endpoint_id = ${endpointId}) as made,
      bool_or(endpoint_id = ${endpointId} and state in ('pending', 'delivered')) as open
    from (
      select position, event_type, event_id, endpoint_id, state from deliveries
      where bot_id = ${botId} and position = any (${positions})
      union all
      select position, event_type, id, null, null from queued_events
      where bot_id = ${botId} and position = any (${positions})
    ) as before
    group by position, event_type`,
  )
  return rows.map((row) => ({ ...row, position: Number(row.position) }))
}
