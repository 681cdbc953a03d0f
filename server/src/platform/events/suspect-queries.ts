import { sql } from 'kysely'
import type { Autocommit, Tx } from '../db/index.js'
import { ENDED, type NextEvent } from './blame.js'

/** Marks the oldest waiting events as suspects: one of them may have ended the last process. */
export async function suspectBacklog(db: Autocommit, count: number) {
  await sql`insert into relay_suspects (event_id)
    select id from waiting_events order by position, id limit ${count} on conflict do nothing`.execute(db)
}

export async function suspectEvents(db: Autocommit, ids: readonly number[]) {
  await sql`insert into relay_suspects (event_id) select unnest(${ids}::bigint[]) on conflict do nothing`.execute(
    db,
  )
}

export async function findNextEvent(tx: Tx): Promise<NextEvent | undefined> {
  const { rows } = await sql<NextEvent>`
    select e.id, s.attempts, s.last_error from events e left join relay_suspects s on s.event_id = e.id
    where e.position > (select position from relay_cursor) order by e.position limit 1`.execute(tx)
  return rows[0]
}

/** Counts an attempt before it is made, so that an event which ends the process has been counted all the same. */
export async function countAttempt(db: Autocommit, id: number) {
  await sql`insert into relay_suspects (event_id, attempts, last_error) values (${id}, 1, ${ENDED})
    on conflict (event_id) do update
    set attempts = relay_suspects.attempts + 1, last_error = excluded.last_error`.execute(db)
}

/** Notes why the attempt failed; one that the event is not to blame for is not counted. */
export async function recordFailure(db: Autocommit, id: number, error: unknown, counted: boolean) {
  const reason = (error instanceof Error ? error.message : String(error)).slice(0, 1000)
  await sql`update relay_suspects set last_error = ${reason}, attempts = attempts - ${counted ? 0 : 1}::int
    where event_id = ${id}`.execute(db)
}

/** Clears an event that was relayed; without an id, all that do not wait any more. */
export async function clearSuspects(tx: Tx, id?: number) {
  await (id === undefined
    ? sql`delete from relay_suspects s
        where not exists (select from waiting_events e where e.id = s.event_id)`.execute(tx)
    : sql`delete from relay_suspects where event_id = ${id}`.execute(tx))
}

/** Moves an event out of the way of those behind it. */
export async function setAside(tx: Tx, { id, attempts, last_error }: NextEvent, now: Date) {
  const reason = last_error ?? 'unknown'
  await sql`
    with gone as (delete from events where id = ${id} returning id, type, chat_id, actor_id, payload, created_at),
      cleared as (delete from relay_suspects where event_id = ${id})
    insert into set_aside_events (id, type, chat_id, actor_id, payload, created_at, attempts, reason, set_aside_at)
    select id, type, chat_id, actor_id, payload, created_at, ${attempts}::int, ${reason}, ${now}::timestamptz from gone`.execute(
    tx,
  )
}
