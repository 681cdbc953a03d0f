import type { Context } from '../context.js'
import type { Tx } from '../db/index.js'
import { poolInside } from './dry-run-queries.js'

/** The context with every way to the database leading into one transaction. */
export function contextInside(ctx: Context, tx: Tx): Context {
  const pool = poolInside(tx)
  const searches: Context['searches'] = { run: (work) => work(tx), close: async () => {} }
  return { ...ctx, db: tx, tx, autocommit: tx, searches, pool, autocommit_pool: pool, hot_pool: pool }
}
