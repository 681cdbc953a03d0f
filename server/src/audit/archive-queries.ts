import { sql } from 'kysely'
import { type Db, read, type Tx } from '../platform/db/index.js'

/** A record of the log of another server, as that server has sealed it. */
export interface ArchivedRecord {
  position: number
}

/** Gives how many were not here. */
export async function insertArchived(
  tx: Tx,
  { id, workspace }: { id: number; workspace: string },
  records: readonly ArchivedRecord[],
): Promise<number> {
  if (records.length === 0) return 0
  const { numAffectedRows } = await sql`
    insert into audit_archive (workspace, position, import_id, record)
    select ${workspace}, (record ->> 'position')::bigint, ${id}::bigint, record
    from jsonb_array_elements(${JSON.stringify(records)}::jsonb) record
    on conflict do nothing`.execute(tx)
  return Number(numAffectedRows ?? 0n)
}

export interface ArchivedRow {
  workspace: string
  position: number
  record: object
}

export function listArchived(
  db: Db,
  after: Pick<ArchivedRow, 'workspace' | 'position'>,
  limit: number,
): Promise<ArchivedRow[]> {
  return read(
    db,
    sql<ArchivedRow>`
    select workspace, position, record from audit_archive
    where (workspace, position) > (${after.workspace}, ${after.position}) order by workspace, position limit ${limit}`,
  )
}

export async function deleteArchived(tx: Tx, importId: number) {
  await tx.deleteFrom('audit_archive').where('import_id', '=', importId).execute()
}
