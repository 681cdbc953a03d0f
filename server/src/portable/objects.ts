import { createHash } from 'node:crypto'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Context } from '../platform/context.js'
import type { Tx } from '../platform/db/index.js'
import { NoSuchObject } from '../platform/storage/storage.js'
import { findHashes, insertHashes } from './object-queries.js'

const AT_ONCE = 4

export type Hashes = (keys: readonly (string | null)[]) => Promise<Map<string, string | null>>

/** An object of the storage; undefined where there is none. */
export async function openObject({ storage }: Context, key: string): Promise<Readable | undefined> {
  try {
    return await storage.read(key)
  } catch (error) {
    if (error instanceof NoSuchObject) return undefined
    throw error
  }
}

async function hashOf(ctx: Context, key: string): Promise<string | null> {
  const stream = await openObject(ctx, key)
  if (!stream) return null
  const hash = createHash('sha256')
  await pipeline(stream, hash)
  return hash.digest('hex')
}

/** Reads objects for their hashes, each once; null for those that are not there. */
export function hashObjects(ctx: Context, tx: Tx): Hashes {
  return async (keys) => {
    const wanted = [...new Set(keys.filter((key) => key !== null))]
    if (wanted.length === 0) return new Map()
    const known = await findHashes(tx, wanted)
    const waiting = wanted.filter((key) => !known.has(key))
    const found = new Map<string, string | null>()
    const next = async () => {
      for (let key = waiting.shift(); key !== undefined; key = waiting.shift())
        found.set(key, await hashOf(ctx, key))
    }
    await Promise.all(Array.from({ length: AT_ONCE }, next))
    if (found.size > 0) await insertHashes(tx, found)
    return new Map([...known, ...found])
  }
}

/** Without files no object is read. */
export const noHashes: Hashes = async () => new Map()
