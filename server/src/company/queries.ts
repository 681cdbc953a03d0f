import type { Updateable } from 'kysely'
import type { DB, Tx } from '../platform/db/index.js'

/** Changes settings of the workspace, and gives the row as it is then. */
export function updateWorkspace(tx: Tx, change: Updateable<DB['workspace']>) {
  return tx.updateTable('workspace').set(change).returningAll().executeTakeFirstOrThrow()
}
