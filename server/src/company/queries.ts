import type { WorkspaceUsage } from '@parley/contract'
import { type Insertable, type Selectable, sql, type Updateable } from 'kysely'
import { type Autocommit, type DB, type Db, read, type Tx } from '../platform/db/index.js'

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

/** The key that encrypts new files from now on. */
export async function noteFilesKey(db: Autocommit, id: Buffer) {
  await db
    .updateTable('workspace')
    .set({ files_key_id: id })
    .where('files_key_id', 'is distinct from', id)
    .execute()
}

/** Whether the owner can come in without a password. */
export async function isOwnerLinked(db: Db): Promise<boolean> {
  const [row] = await read(
    db,
    sql<{ linked: boolean }>`
    select exists (select from identities i join identity_providers p on p.id = i.provider_id and p.enabled
      join users u on u.id = i.user_id and u.role = 'owner' and u.deleted_at is null) as linked`,
  )
  return row?.linked ?? false
}

export type UsageRow = Omit<WorkspaceUsage, 'version'>

/** Counting every message of a large workspace would take seconds, so the statistics of the database are asked. */
export async function readUsage(db: Db): Promise<UsageRow> {
  const [row] = await read(
    db,
    sql<UsageRow>`
    select count(*) filter (where active and role not in ('guest', 'multi_guest')) as people,
      count(*) filter (where active and role in ('guest', 'multi_guest')) as guests,
      count(*) filter (where bot and deleted_at is null) as bots,
      count(*) filter (where not bot and deleted_at is null and invite_status = 'sent') as invited,
      count(*) filter (where not bot and deleted_at is null and suspended) as suspended,
      (select licenses from workspace) as licenses,
      (select count(*) from chats where kind in ('conversation', 'channel') and archived_at is null) as chats,
      (select greatest(reltuples, 0)::bigint from pg_class where oid = 'messages'::regclass) as messages,
      (select count(*) from files) as files,
      (select coalesce(sum(size), 0)::bigint from files) as files_bytes,
      pg_database_size(current_database()) as database_bytes
    from (select *, not bot and deleted_at is null and not suspended and invite_status = 'confirmed' as active from users) u`,
  )
  return row as UsageRow
}
