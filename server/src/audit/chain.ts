import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import type { Db } from '../platform/db/index.js'

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

/** Where the kept chain begins and ends. */
export function findChain(db: Db) {
  return db.selectFrom('audit_chain').selectAll().executeTakeFirstOrThrow()
}
