import { hash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import type { Context } from '../context.js'
import { microBatch } from '../db/batch.js'
import { findHolder, type Holder, readEpoch } from './admission-queries.js'

const CACHED_TOKENS = 20_000

export function hashToken(token: string): Buffer {
  return hash('sha256', token, 'buffer')
}

/** Holders of tokens, kept in memory; each use is proved fresh by the epoch that every change of rights moves. */
export function createHolders(ctx: Pick<Context, 'pool' | 'clock'>) {
  const cache = new LRUCache<string, Holder>({ max: CACHED_TOKENS })
  const keyOf = (token: string) => hash('sha256', token, 'base64')
  const hasExpired = ({ expires_at }: Holder) =>
    expires_at !== null && expires_at.getTime() <= ctx.clock.now()

  const epochNow = microBatch<null, number>(
    async (asked) => {
      const epoch = await readEpoch(ctx.pool)
      return asked.map(() => epoch)
    },
    { max: 10_000, inFlight: 2 },
  )

  return {
    hasExpired,
    epoch: () => epochNow(null),
    hasSeen: (token: string) => cache.has(keyOf(token)),
    forget: () => cache.clear(),
    /** The holder as known last, and whether that is still true. */
    assume(token: string): { holder: Holder; proof: Promise<boolean> } | undefined {
      const holder = cache.get(keyOf(token))
      if (!holder || hasExpired(holder)) return undefined
      const proof = epochNow(null).then(
        (epoch) => epoch === holder.epoch && !hasExpired(holder),
        () => false,
      )
      return { holder, proof }
    },
    async find(token: string): Promise<Holder | undefined> {
      const key = keyOf(token)
      const cached = cache.get(key)
      // A session that has expired may have been renewed by another process, which moves no epoch.
      if (cached && cached.epoch === (await epochNow(null)) && !hasExpired(cached)) return cached
      const holder = await findHolder(ctx.pool, hashToken(token))
      if (holder) cache.set(key, holder)
      else cache.delete(key)
      return holder
    },
  }
}
