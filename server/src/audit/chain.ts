import { createHmac } from 'node:crypto'
import { auditHash } from '@parley/imports/audit-hash'
import type { Db } from '../platform/db/index.js'
import { type ChainRow, listSealed } from './chain-queries.js'

/** The chain behind a position, part by part. */
export async function* readChain(db: Db, after: number): AsyncGenerator<ChainRow[]> {
  for (let rows = await listSealed(db, after); rows.length > 0; ) {
    yield rows
    rows = await listSealed(db, Number(rows.at(-1)?.position))
  }
}

export type Link = ChainRow & { position: number; previous_hash: Buffer; hash: Buffer }

/** Rows of a part of the chain with the hashes that blocks do not store. */
export function withHashes(rows: readonly ChainRow[]): Link[] {
  let last = NOTHING
  return rows.map((row) => {
    const position = Number(row.position)
    const previous_hash = row.previous_hash ?? last
    last = row.hash ?? auditHash(previous_hash, position, row)
    return { ...row, position, previous_hash, hash: last }
  })
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
