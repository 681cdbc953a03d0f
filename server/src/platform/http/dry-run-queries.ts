import { CompiledQuery, sql } from 'kysely'
import type { AutocommitPool, Tx } from '../db/index.js'

/** The highest number that each sequence has given, by its name. */
export type Sequences = ReadonlyMap<string, number>

export async function readSequences(tx: Tx): Promise<Sequences> {
  const { rows } = await sql<{ name: string; last: number }>`
    select relname as name, coalesce(pg_sequence_last_value(oid), 0) as last
    from pg_class where relkind = 'S' and relnamespace = 'public'::regnamespace`.execute(tx)
  return new Map(rows.map(({ name, last }) => [name, last]))
}

/** Ends a statement of the transaction that waits for a lock, or works, for longer than this. */
export async function limitStatements(tx: Tx, timeout_ms: number) {
  await sql`select set_config('statement_timeout', ${String(timeout_ms)}, true)`.execute(tx)
}

/** Judges the constraints that are usually judged at the commit. */
export async function checkConstraints(tx: Tx) {
  await sql`set constraints all immediate`.execute(tx)
}

interface WrittenEvent {
  id: number
  type: string
  chat_id: number | null
  actor_id: number
  payload: object
  created_at: Date
}

/**
 * The events that this transaction wrote. Those of others are committed where they are seen at all, so that a row whose
 * transaction is in progress is our own.
 */
export async function listOwnEvents(tx: Tx, after: number): Promise<WrittenEvent[]> {
  const { rows } = await sql<WrittenEvent>`
    select id, type, chat_id, actor_id, payload, created_at from events
    where position is null and id > ${after} and pg_xact_status(
      ((pg_current_xact_id()::text::bigint >> 32 << 32) | xmin::text::bigint)::text::xid8) = 'in progress'
    order by id`.execute(tx)
  return rows
}

/** Sends statements of a pool into the transaction, so that nothing commits by itself. */
export function poolInside(tx: Tx): AutocommitPool {
  const query = (text: string, values: unknown[] = []) => tx.executeQuery(CompiledQuery.raw(text, values))
  return { query, totalCount: 0, idleCount: 0, waitingCount: 0 } as unknown as AutocommitPool
}
