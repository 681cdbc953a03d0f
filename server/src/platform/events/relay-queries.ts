import { sql } from 'kysely'
import { type Autocommit, type Db, read, type Tx } from '../db/index.js'
import { LOCKS } from '../db/locks.js'
import { opaqueId } from '../db/opaque-sql.js'
import type { RelayedEvent } from './relay.js'

/** Gives committed events their positions, in a transaction of its own: sending waits until its end. */
export async function placeEvents(db: Autocommit, lock_ms: number) {
  await sql`
    select place_events(${LOCKS.place_events}, true)
    from (select set_config('lock_timeout', ${String(lock_ms)}, true) as set) as limits where set <> ''`.execute(
    db,
  )
}

/**
 * Takes the next events that have positions, or one of them, and moves the cursor behind them. Until the end of the
 * transaction they cannot be changed or deleted.
 */
export async function takePlaced(
  tx: Tx,
  wanted: { only: number } | { limit: number },
): Promise<RelayedEvent[]> {
  const [which, limit] = 'limit' in wanted ? [sql`true`, wanted.limit] : [sql`e.id = ${wanted.only}`, 1]
  const { rows } = await sql<RelayedEvent>`
    with taken as materialized (
      select e.id, e.position, e.type, e.chat_id, e.actor_id, e.payload, e.created_at from events e
      where e.position > (select position from relay_cursor) and ${which}
      order by e.position limit ${opaqueId(limit)} for no key update of e
    ), moved as (
      update relay_cursor set position = last.position
      from (select max(position) as position from taken) as last where last.position is not null
    )
    select * from taken order by position`.execute(tx)
  return rows
}

interface RelayLock {
  mine: boolean
  suspecting: boolean
  /** Events without positions have committed. */
  unplaced: boolean
  /** The connection's process in the database. */
  pid: number
}

/** Whether any event waits for the relay. */
export async function hasWaiting(db: Db): Promise<boolean> {
  const [found] = await read(
    db,
    sql<{ waits: boolean }>`
    select exists (select from waiting_events) or exists (select from relay_suspects) as waits`,
  )
  return found?.waits === true
}

/** One process at a time relays, so that readers get events in the order of their positions. */
export async function lockRelay(
  tx: Tx,
  limits: { idle_ms: number; statement_ms: number; lock_ms: number },
): Promise<RelayLock> {
  const { rows } = await sql<RelayLock>`
    select pg_try_advisory_xact_lock(${LOCKS.relay}) as mine, exists (select from relay_suspects) as suspecting,
      exists (select from events where position is null) as unplaced, pg_backend_pid() as pid,
      set_config('idle_in_transaction_session_timeout', ${String(limits.idle_ms)}, true),
      set_config('statement_timeout', ${String(limits.statement_ms)}, true),
      set_config('lock_timeout', ${String(limits.lock_ms)}, true)`.execute(tx)
  return rows[0] as RelayLock
}

export async function endConnection(db: Autocommit, pid: number, wait_ms: number) {
  await sql`select pg_terminate_backend(${pid}, ${wait_ms})`.execute(db)
}
