import type { AuditRow } from '@parley/imports/audit-hash'
import { sql } from 'kysely'
import { type Db, read, type Tx } from '../platform/db/index.js'
import { LOCKS } from '../platform/db/locks.js'

/** A row as it is hashed. The database writes time and details as text, so that no digit of them can slip through. */
export interface ChainRow extends AuditRow {
  position: number | null
  previous_hash: Buffer | null
  hash: Buffer | null
}

const chainColumns = sql`
  id, sequence, to_char(created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US') as created_at_text, event_key,
  actor_id, entity_type, entity_id, details::text as details_text, ip_address, user_agent, position, previous_hash, hash`

const EMPTY = {
  anchor_position: 0,
  anchor_hash: Buffer.alloc(0) as Buffer,
  anchor_seal: null as Buffer | null,
  head_position: 0,
  head_hash: Buffer.alloc(0) as Buffer,
  head_seal: null as Buffer | null,
}

export type Chain = typeof EMPTY

/** Where the kept chain begins and ends. */
export async function findChain(db: Db): Promise<Chain> {
  return (await db.selectFrom('audit_chain').selectAll().executeTakeFirst()) ?? EMPTY
}

/** Moves one end of the chain; the first caller makes the row. */
export async function moveChain(tx: Tx, change: Partial<Chain>) {
  await tx
    .insertInto('audit_chain')
    .values({ id: 1, ...change })
    .onConflict((conflict) => conflict.column('id').doUpdateSet(change))
    .execute()
}

/** Waits for the right to change the chain, which ends with the transaction. */
export async function lockChain(tx: Tx) {
  await sql`select pg_advisory_xact_lock(${LOCKS.seal_audit})`.execute(tx)
}

/** The same without waiting: false where another process has it. */
export async function tryLockChain(tx: Tx): Promise<boolean> {
  const { rows } = await sql<{ mine: boolean }>`
    select pg_try_advisory_xact_lock(${LOCKS.seal_audit}) as mine`.execute(tx)
  return rows[0]?.mine === true
}

export function listUnsealed(tx: Tx, limit: number): Promise<ChainRow[]> {
  return read(
    tx,
    sql<ChainRow>`
    select ${chainColumns} from audit_events where hash is null order by sequence limit ${limit}`,
  )
}

export async function countUnsealed(db: Db): Promise<number> {
  const { unsealed } = await db
    .selectFrom('audit_events')
    .select((eb) => eb.fn.countAll<number>().as('unsealed'))
    .where('hash', 'is', null)
    .executeTakeFirstOrThrow()
  return unsealed
}

/** Rows of the chain behind a position, in its order. */
export function listSealed(db: Db, after: number, limit: number): Promise<ChainRow[]> {
  return read(
    db,
    sql<ChainRow>`
    select ${chainColumns} from audit_events where position > ${after} order by position limit ${limit}`,
  )
}

export interface Link {
  position: number
  hash: Buffer
}

export function listLinks(db: Db, after: number, limit: number): Promise<Link[]> {
  return read(
    db,
    sql<Link>`select position, hash from audit_events where position > ${after} order by position limit ${limit}`,
  )
}

/** The first rows of the chain, each with whether it is from before this time. */
export function listOldest(db: Db, before: Date, limit: number): Promise<(Link & { old: boolean })[]> {
  return read(
    db,
    sql<Link & { old: boolean }>`
    select position, hash, created_at < ${before} as old from audit_events
    where position is not null order by position limit ${limit}`,
  )
}
