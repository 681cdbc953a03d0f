import { IMPORT_FAULTS } from '@parley/contract'
import type { Context } from '../platform/context.js'
import { lockImports } from './lock-queries.js'
import { ImportError } from './run-state.js'

/** A process that was killed is gone from the database within moments. */
const WAIT = '5s'
const TIMED_OUT = '55P03'

/**
 * Lets one process at a time import, check or undo. The lock belongs to a transaction that does nothing else, so that it
 * goes with its process; the work has transactions of its own.
 */
export function whileAlone<T>(ctx: Context, work: () => Promise<T>): Promise<T> {
  return ctx.autocommit.transaction().execute(async (tx) => {
    await lockImports(tx, WAIT).catch((error) => {
      if (error.code !== TIMED_OUT) throw error
      throw new ImportError(IMPORT_FAULTS.being_imported)
    })
    return work()
  })
}
