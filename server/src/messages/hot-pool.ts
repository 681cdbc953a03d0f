import type { Context } from '../platform/context.js'
import { openPool, type Pool } from '../platform/db/index.js'

const CONNECTIONS = 4

/**
 * A small pool of its own for the statements of the hot paths. Statements over arrays are planned anew each time
 * unless told otherwise, which doubles their cost; and a plan made while a table was small must not scan it when it
 * is large, so only index lookups are left to choose from. What writes messages here adds their new words itself.
 */
export function openHotPool(ctx: Context): Pool {
  return openPool({
    url: ctx.pool.options.connectionString as string,
    size: CONNECTIONS,
    settings: {
      plan_cache_mode: 'force_generic_plan',
      enable_seqscan: 'off',
      enable_hashjoin: 'off',
      enable_mergejoin: 'off',
      enable_bitmapscan: 'off',
      'parley.words': 'told',
    },
    onError: (error) => ctx.log.warn({ err: error }, 'a connection of the hot pool broke'),
  })
}
