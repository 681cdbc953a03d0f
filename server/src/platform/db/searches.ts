import type { Context } from '../context.js'
import { Problem } from '../problem.js'
import { type Db, openDb, openPool } from './index.js'

const BUDGET_MS = 5_000
const CANCELED = '57014'
const NO_CONNECTION = 'timeout exceeded when trying to connect'

/**
 * Connections of their own for searches, so that however many there are, nothing else waits behind them. A search
 * goes by the index always, since words are dear to make anew for every row; so one plan is right for all queries,
 * and planning each, or starting a second process for it, would cost more than finding a rare word.
 */
export function openSearches(url: string, size: number, onError: (error: Error) => void): Db {
  const pool = openPool({
    url,
    size,
    wait_ms: BUDGET_MS,
    settings: {
      statement_timeout: String(BUDGET_MS),
      work_mem: '64MB',
      plan_cache_mode: 'force_generic_plan',
      enable_seqscan: 'off',
      max_parallel_workers_per_gather: '0',
    },
    onError,
  })
  return openDb(pool)
}

function isTooLate(error: unknown): boolean {
  const { code, message } = error as { code?: string; message?: string }
  return code === CANCELED || message === NO_CONNECTION
}

/** Runs a search within its budget of time; 504 beyond. */
export async function searching<T>(ctx: Context, work: (db: Db) => Promise<T>): Promise<T> {
  try {
    return await work(ctx.searches)
  } catch (error) {
    if (isTooLate(error)) throw new Problem(504, 'timeout')
    throw error
  }
}
