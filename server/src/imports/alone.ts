import type { Context } from '../platform/context.js'
import { lockImports, unlockImports } from './lock-queries.js'
import { ImportError } from './run-state.js'

/** A process that was killed is gone from the database within moments. */
const WAIT = '5s'

/** Lets one process at a time import, check or undo. The lock belongs to a connection, so that it goes with its process. */
export function whileAlone<T>(ctx: Context, work: () => Promise<T>): Promise<T> {
  return ctx.autocommit.connection().execute(async (connection) => {
    if (!(await lockImports(connection, WAIT)))
      throw new ImportError('Another process is importing: wait for its end.')
    try {
      return await work()
    } finally {
      await unlockImports(connection)
    }
  })
}
