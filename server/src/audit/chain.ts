import { createHash, createHmac } from 'node:crypto'
import type { ChainRow } from './chain-queries.js'

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
