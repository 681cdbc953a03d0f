import type { GroupRule } from '@parley/contract'
import { type Insertable, type Selectable, sql, type Updateable } from 'kysely'
import { type DB, type Db, read, type Tx } from '../platform/db/index.js'

export type ProviderRow = Omit<Selectable<DB['identity_providers']>, 'group_rules'> & {
  group_rules: GroupRule[]
}

const LINKED = sql<number>`(select count(*) from identities i join users u on u.id = i.user_id and u.deleted_at is null
  where i.provider_id = p.id)`

export async function listProviders(db: Db): Promise<(ProviderRow & { people: number })[]> {
  const rows = await read(
    db,
    sql<ProviderRow & { people: number }>`
    select p.*, ${LINKED} as people from identity_providers p order by p.id`,
  )
  return rows
}

export async function findProvider(db: Db, id: number) {
  const rows = await read(
    db,
    sql<ProviderRow & { people: number }>`
    select p.*, ${LINKED} as people from identity_providers p where p.id = ${id}`,
  )
  return rows[0]
}

/** A provider through which people may sign in now. */
export async function findOpenProvider(db: Db, slug: string): Promise<ProviderRow | undefined> {
  const rows = await read(
    db,
    sql<ProviderRow>`select p.* from identity_providers p where p.slug = ${slug} and p.enabled`,
  )
  return rows[0]
}

export function listOpenProviders(db: Db) {
  return db
    .selectFrom('identity_providers')
    .select(['slug', 'name'])
    .where('enabled', '=', true)
    .orderBy('id')
    .execute()
}

export async function insertProvider(tx: Tx, row: Insertable<DB['identity_providers']>): Promise<number> {
  const { id } = await tx
    .insertInto('identity_providers')
    .values(row)
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

export async function updateProvider(tx: Tx, id: number, change: Updateable<DB['identity_providers']>) {
  await tx.updateTable('identity_providers').set(change).where('id', '=', id).execute()
}

export async function deleteProvider(tx: Tx, id: number) {
  await tx.deleteFrom('provider_sessions').where('provider_id', '=', id).execute()
  await tx.deleteFrom('identity_providers').where('id', '=', id).execute()
}
