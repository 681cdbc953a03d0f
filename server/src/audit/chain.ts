import { hash as hashOf } from 'node:crypto'
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

const NOTHING: Buffer = Buffer.alloc(0)

/** What HMAC hashes: the key, filled up to a block, and what it is about. */
const BLOCK_BYTES = 64
const INNER = Buffer.alloc(BLOCK_BYTES + 64)
const OUTER = Buffer.alloc(BLOCK_BYTES + 32)

/**
 * The seal of a row: over the seal before it and the hash of the row, under the key. Only those of both ends are kept,
 * so that nobody without the key has one for a chain that ends earlier, and a wrong one makes all that follow wrong.
 * It is the HMAC of both; `createHmac` takes two and a half times as long. Keys are shorter than a block.
 */
export function sealOf(key: Buffer, previous: Buffer | null, hash: Buffer): Buffer {
  for (let at = 0; at < BLOCK_BYTES; at += 1) {
    const byte = key[at] ?? 0
    INNER[at] = byte ^ 0x36
    OUTER[at] = byte ^ 0x5c
  }
  const end = BLOCK_BYTES + (previous ?? NOTHING).copy(INNER, BLOCK_BYTES)
  const inner = INNER.subarray(0, end + hash.copy(INNER, end))
  OUTER.write(hashOf('sha256', inner, 'binary'), BLOCK_BYTES, 'binary')
  return Buffer.from(hashOf('sha256', OUTER, 'binary'), 'binary')
}
