import { sql } from 'kysely'
import type { Context } from '../platform/context.js'
import type { Tx } from '../platform/db/index.js'
import { transaction } from '../platform/db/transaction.js'
import { Problem } from '../platform/problem.js'

const BUDGET_MS = 5_000
const MEMORY_KB = 65_536
const CANCELED = '57014'

/**
 * Runs a search within its budget of time; 504 beyond. It goes by the index always, since words are dear to make anew
 * for every row; so one plan is right for all queries, and planning each, or starting a second process for it, would
 * cost more than finding a rare word.
 */
export async function searching<T>(ctx: Context, work: (tx: Tx) => Promise<T>): Promise<T> {
  try {
    return await transaction(ctx, async (tx) => {
      await sql`select set_config('statement_timeout', ${String(BUDGET_MS)}, true),
        set_config('work_mem', ${String(MEMORY_KB)}, true),
        set_config('plan_cache_mode', 'force_generic_plan', true), set_config('enable_seqscan', 'off', true),
        set_config('max_parallel_workers_per_gather', '0', true)`.execute(tx)
      return work(tx)
    })
  } catch (error) {
    if ((error as { code?: string }).code === CANCELED) throw new Problem(504, 'timeout')
    throw error
  }
}
