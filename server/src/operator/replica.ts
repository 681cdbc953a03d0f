import { setTimeout as delay } from 'node:timers/promises'
import type { Config } from '../platform/config.js'
import { openPool, type Pool } from '../platform/db/index.js'
import { fixedPrimary } from '../platform/db/primary.js'
import { findFollowed, findWritten } from '../platform/db/replica-queries.js'

const LOOK_EVERY_MS = 100

async function withPool<T>(url: string, work: (pool: Pool) => Promise<T>): Promise<T> {
  // What fails on the connection fails the query, too.
  const pool = openPool({ url: fixedPrimary(url), size: 1, onError: () => {} })
  try {
    return await work(pool)
  } finally {
    await pool.end()
  }
}

/** Whether this one follows the primary and has come up to a position in time. */
function follows(url: string, position: number, wait_ms: number): Promise<boolean> {
  const until = performance.now() + wait_ms
  return withPool(url, async (pool) => {
    for (;;) {
      const followed = await findFollowed(pool)
      if (followed === null || followed >= position) return followed !== null
      if (performance.now() > until) return false
      await delay(LOOK_EVERY_MS)
    }
  }).catch(() => false)
}

/** A replica that has all that is committed by now; undefined where none of them has it in time. */
export async function findReplica(
  { database_replica_urls }: Pick<Config, 'database_replica_urls'>,
  primaryUrl: string,
  wait_ms: number,
): Promise<string | undefined> {
  if (database_replica_urls.length === 0) return undefined
  const position = await withPool(primaryUrl, findWritten)
  for (const url of database_replica_urls) if (await follows(url, position, wait_ms)) return url
  return undefined
}
