import { sql } from 'kysely'
import type { Autocommit, Tx } from '../db/index.js'
import { LOCKS } from '../db/locks.js'
import type { RelayedEvent } from './relay.js'

/** Gives waiting events their positions: the oldest ones, or one. */
export async function placeWaiting(
  tx: Tx,
  wanted: { only: number } | { limit: number },
): Promise<RelayedEvent[]> {
  const waiting =
    'limit' in wanted
      ? sql`select id from events where position is null order by id limit ${wanted.limit}`
      : sql`select id from events where position is null and id = ${wanted.only}`
  const { rows } = await sql<RelayedEvent>`
    with waiting as materialized (${waiting}), placed as materialized (
      select id, nextval('events_position_seq') as position from waiting order by id
    )
    update events e set position = placed.position from placed where e.id = placed.id
    returning e.id, e.position, e.type, e.chat_id, e.actor_id, e.payload, e.created_at`.execute(tx)
  return rows.sort((a, b) => a.position - b.position)
}

interface RelayLock {
  mine: boolean
  suspecting: boolean
  /** The connection's process in the database. */
  pid: number
}

/** One process at a time relays, so that positions follow commits and events of a chat keep their order. */
export async function lockRelay(
  tx: Tx,
  limits: { idle_ms: number; statement_ms: number; lock_ms: number },
): Promise<RelayLock> {
  const { rows } = await sql<RelayLock>`
    select pg_try_advisory_xact_lock(${LOCKS.relay}) as mine, exists (select from relay_suspects) as suspecting,
      pg_backend_pid() as pid,
      set_config('idle_in_transaction_session_timeout', ${String(limits.idle_ms)}, true),
      set_config('statement_timeout', ${String(limits.statement_ms)}, true),
      set_config('lock_timeout', ${String(limits.lock_ms)}, true)`.execute(tx)
  return rows[0] as RelayLock
}

export async function endConnection(db: Autocommit, pid: number, wait_ms: number) {
  await sql`select pg_terminate_backend(${pid}, ${wait_ms})`.execute(db)
}
