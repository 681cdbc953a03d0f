import { sql } from 'kysely'
import { type Db, read, type Tx } from '../platform/db/index.js'
import type { ImportRow } from './queries.js'

/** Which of these files were stored by this import, and not by an earlier one. */
export async function listFresh(db: Db, importId: number, ids: readonly string[]): Promise<Set<string>> {
  const rows = await read(
    db,
    sql<{ source_id: string }>`
    select source_id from import_objects where import_id = ${importId} and source_id = any(${ids})`,
  )
  return new Set(rows.map(({ source_id }) => source_id))
}

export interface StoredObject {
  source_id: string
  key: string
  name: string
  size: number
  sha256: string
  width: number | null
  height: number | null
}

type Owner = Pick<ImportRow, 'source' | 'workspace'>

/** Files that are in the store, by the id of the source. */
export async function findObjects(db: Db, { source, workspace }: Owner, ids: readonly string[]) {
  const rows = await read(
    db,
    sql<StoredObject>`
    select source_id, key, name, size, encode(sha256, 'hex') as sha256, width, height from import_objects
    where source = ${source} and workspace = ${workspace} and source_id = any(${ids})`,
  )
  return new Map(rows.map((row) => [row.source_id, row]))
}

/** A content that is there already is not stored twice: the file takes the object that has it. */
export async function insertObjects(
  tx: Tx,
  { id: import_id, source, workspace }: Owner & { id: number },
  objects: readonly StoredObject[],
) {
  if (objects.length === 0) return
  await sql`
    insert into import_objects (source, workspace, import_id, source_id, key, name, size, sha256, width, height)
    select ${source}, ${workspace}, ${import_id}::bigint, x.source_id, coalesce(same.key, x.key), x.name, x.size,
      decode(x.sha256, 'hex'), x.width, x.height
    from jsonb_to_recordset(${JSON.stringify(objects)}::jsonb)
      as x (source_id text, key text, name text, size bigint, sha256 text, width int, height int)
      left join lateral (select key from import_objects o where o.sha256 = decode(x.sha256, 'hex') limit 1) same on true`.execute(
    tx,
  )
}
