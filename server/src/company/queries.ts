import type { Insertable, Selectable, Updateable } from 'kysely'
import type { DB, Db, Tx } from '../platform/db/index.js'

export type WorkspaceRow = Selectable<DB['workspace']>

/** The workspace; undefined before the first start. */
export function findWorkspace(db: Db): Promise<WorkspaceRow | undefined> {
  return db.selectFrom('workspace').selectAll().executeTakeFirst()
}

export function readWorkspace(db: Db): Promise<WorkspaceRow> {
  return db.selectFrom('workspace').selectAll().executeTakeFirstOrThrow()
}

export async function readWorkspaceName(db: Db): Promise<string> {
  return (await db.selectFrom('workspace').select('name').executeTakeFirstOrThrow()).name
}

export function lockWorkspace(tx: Tx): Promise<WorkspaceRow> {
  return tx.selectFrom('workspace').selectAll().forUpdate().executeTakeFirstOrThrow()
}

/** Makes the one workspace; false where it is there already. */
export async function insertWorkspace(tx: Tx, workspace: Omit<Insertable<DB['workspace']>, 'id'>) {
  const made = await tx
    .insertInto('workspace')
    .values({ id: 1, ...workspace })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .returning('id')
    .executeTakeFirst()
  return made !== undefined
}

/** Changes settings of the workspace, and gives the row as it is then. */
export function updateWorkspace(tx: Tx, change: Updateable<DB['workspace']>): Promise<WorkspaceRow> {
  return tx.updateTable('workspace').set(change).returningAll().executeTakeFirstOrThrow()
}
