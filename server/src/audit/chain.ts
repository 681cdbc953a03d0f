import { createHash, createHmac } from 'node:crypto'
import { sql } from 'kysely'
import type { Db, Tx } from '../platform/db/index.js'

/** A row as it is hashed. The database writes time and details as text, so that no digit of them can slip through. */
export interface ChainRow {
  id: string
  sequence: number
  created_at_text: string
  event_key: string
  actor_id: number
  entity_type: string
  entity_id: string
  details_text: string
  ip_address: string | null
  user_agent: string | null
  position: number | null
  previous_hash: Buffer | null
  hash: Buffer | null
}

export const chainColumns = sql`
  id, sequence, to_char(created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US') as created_at_text, event_key,
  actor_id, entity_type, entity_id, details::text as details_text, ip_address, user_agent, position, previous_hash, hash`

/** The hash of a row at its place: over the hash before it and everything the row says. */
export function hashOf(previous: Buffer, position: number, row: ChainRow): Buffer {
  const said = JSON.stringify([
    position,
    row.id,
    row.sequence,
    row.created_at_text,
    row.event_key,
    row.actor_id,
    row.entity_type,
    row.entity_id,
    row.details_text,
    row.ip_address,
    row.user_agent,
  ])
  return createHash('sha256').update(previous).update(said).digest()
}

/**
 * The seal of a row: over the seal before it and the hash of the row, under the key. Only those of both ends are kept,
 * so that nobody without the key has one for a chain that ends earlier, and a wrong one makes all that follow wrong.
 */
export function sealOf(key: Buffer, previous: Buffer | null, hash: Buffer): Buffer {
  return createHmac('sha256', key)
    .update(previous ?? NOTHING)
    .update(hash)
    .digest()
}

const NOTHING: Buffer = Buffer.alloc(0)
const EMPTY = {
  anchor_position: 0,
  anchor_hash: NOTHING,
  anchor_seal: null as Buffer | null,
  head_position: 0,
  head_hash: NOTHING,
  head_seal: null as Buffer | null,
}

export type Chain = typeof EMPTY

/** Where the kept chain begins and ends. */
export async function findChain(db: Db): Promise<Chain> {
  return (await db.selectFrom('audit_chain').selectAll().executeTakeFirst()) ?? EMPTY
}

/** Moves one end of the chain; the row is made by whoever is first. */
export async function moveChain(tx: Tx, change: Partial<Chain>) {
  await tx
    .insertInto('audit_chain')
    .values({ id: 1, ...change })
    .onConflict((conflict) => conflict.column('id').doUpdateSet(change))
    .execute()
}
