import { type Autocommit, type AutocommitPool, openDb, openPool, type PoolOptions } from './index.js'
import type { Primary } from './primary.js'
import { openSearches, type Searches } from './search-pool.js'

/** How long a search may take, and how long it waits for a connection. */
const SEARCH_BUDGET_MS = 5_000
const HOT_CONNECTIONS = 4
/** A new connection plans its statements anew, so that the first search after a while, or the first message, would take several times as long. */
const KEPT = 1

/**
 * Searches have connections of their own, so that however many there are, nothing else waits behind them. A search
 * always goes by the index, because making the words of every row again is expensive; so one plan is right for all
 * queries, and planning each, or starting a second process for it, would cost more than finding a rare word.
 */
const SEARCH_SETTINGS = {
  statement_timeout: String(SEARCH_BUDGET_MS),
  work_mem: '64MB',
  plan_cache_mode: 'force_generic_plan',
  enable_seqscan: 'off',
  max_parallel_workers_per_gather: '0',
}

/**
 * Statements of the hot paths, over arrays, are planned each time by default, which doubles their cost; and a
 * plan made while a table was small must not scan it when it is large, so only index lookups are left to choose from.
 *
 */
const HOT_SETTINGS = {
  plan_cache_mode: 'force_generic_plan',
  enable_seqscan: 'off',
  enable_hashjoin: 'off',
  enable_mergejoin: 'off',
  enable_bitmapscan: 'off',
}

export interface Pools {
  usual: AutocommitPool
  /** The usual pool, as a query builder. */
  db: Autocommit
  hot: AutocommitPool
  searches: Searches
  leashed: Autocommit
  close(): Promise<void>
}

interface Addresses {
  primary: Primary
  /** Where usual statements go instead; hot ones and searches need settings and plans that stay with a connection. */
  pooler: string | null
}

/** Opens what reads go to: usual ones, and searches apart from them, which need sessions. */
export function openReading(
  options: Pick<PoolOptions, 'url' | 'keeps_sessions' | 'onError'>,
  size: number,
  direct = options.url,
) {
  const usual = openPool({ ...options, size })
  const db = openDb(usual)
  const ownPool = openPool({
    url: direct,
    size: Math.ceil(size / 2),
    kept: KEPT,
    wait_ms: SEARCH_BUDGET_MS,
    settings: SEARCH_SETTINGS,
    onError: options.onError,
  })
  const searches = openSearches(ownPool, usual)
  const close = async () => void (await Promise.all([db.destroy(), searches.close()]))
  return { usual, db, searches, close }
}

/** Opens the connections of a process. None is made before it is used. */
export function openPools(
  { primary: url, pooler }: Addresses,
  size: number,
  onError: (error: Error) => void,
): Pools {
  const plain = { url: pooler ?? url, keeps_sessions: pooler === null, onError }
  const { usual, db, searches, close } = openReading(plain, size, url)
  const hot = openPool({ url, size: HOT_CONNECTIONS, kept: KEPT, settings: HOT_SETTINGS, onError })
  const leashed = openDb(openPool({ ...plain, size: Math.ceil(size / 4) }))
  return {
    usual,
    db,
    hot,
    searches,
    leashed,
    async close() {
      await Promise.all([close(), hot.end(), leashed.destroy()])
    },
  }
}
