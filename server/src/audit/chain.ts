import { createHmac } from 'node:crypto'

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
