import type { Insertable, Selectable } from 'kysely'
import type { Autocommit, DB, Db, Tx } from '../platform/db/index.js'

export type ScimTokenRow = Selectable<DB['scim_tokens']>
export type ScimRequestRow = Selectable<DB['scim_requests']>

export function listTokenRows(db: Db): Promise<ScimTokenRow[]> {
  return db.selectFrom('scim_tokens').selectAll().orderBy('id').execute()
}

export function findTokenByHash(db: Db, hash: Buffer): Promise<ScimTokenRow | undefined> {
  return db.selectFrom('scim_tokens').selectAll().where('hash', '=', hash).executeTakeFirst()
}

export function insertScimToken(tx: Tx, row: Insertable<DB['scim_tokens']>): Promise<ScimTokenRow> {
  return tx.insertInto('scim_tokens').values(row).returningAll().executeTakeFirstOrThrow()
}

export function deleteScimTokenRow(tx: Tx, id: number): Promise<ScimTokenRow | undefined> {
  return tx.deleteFrom('scim_tokens').where('id', '=', id).returningAll().executeTakeFirst()
}

const USED_AT_MOST_EVERY_MS = 60_000

export async function noteScimUse(db: Autocommit, id: number, at: Date) {
  await db
    .updateTable('scim_tokens')
    .set({ last_used_at: at })
    .where('id', '=', id)
    .where((eb) =>
      eb.or([
        eb('last_used_at', 'is', null),
        eb('last_used_at', '<=', new Date(at.getTime() - USED_AT_MOST_EVERY_MS)),
      ]),
    )
    .execute()
}

const KEPT = 100

export function listRequestRows(db: Db): Promise<ScimRequestRow[]> {
  return db.selectFrom('scim_requests').selectAll().orderBy('id', 'desc').limit(KEPT).execute()
}

/** Notes a request, and forgets those that are too old to be shown. */
export async function insertRequest(db: Autocommit, row: Insertable<DB['scim_requests']>) {
  const { id } = await db.insertInto('scim_requests').values(row).returning('id').executeTakeFirstOrThrow()
  await db
    .deleteFrom('scim_requests')
    .where('id', '<=', id - KEPT)
    .execute()
}

/** On whose behalf the provider acts. */
export function findOwner(db: Db) {
  return db
    .selectFrom('users')
    .innerJoin('workspace', (join) => join.onTrue())
    .select(['users.id', 'workspace.plan', 'workspace.suspended'])
    .where('users.role', '=', 'owner')
    .where('users.deleted_at', 'is', null)
    .orderBy('users.id')
    .executeTakeFirstOrThrow()
}
