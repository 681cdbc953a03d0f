import { sql } from 'kysely'
import { type Db, read, type Tx } from '../platform/db/index.js'

export interface ImportedFile {
  owner_id: number
  key: string
  name: string
  file_type: string
  size: number
  width: number | null
  height: number | null
  message_id: number
  position: number
  created_at: string
}

/** Files of messages that are written in the same transaction. Their objects are stored already. */
export async function insertImportedFiles(tx: Tx, files: readonly ImportedFile[]) {
  if (files.length === 0) return
  await sql`
    insert into files (owner_id, key, name, file_type, size, width, height, message_id, position, created_at)
    select owner_id, key, name, file_type, size, width, height, message_id, position, created_at
    from jsonb_to_recordset(${JSON.stringify(files)}::jsonb)
      as x (owner_id bigint, key text, name text, file_type text, size bigint, width int, height int,
        message_id bigint, position int, created_at timestamptz)`.execute(tx)
  await sql`delete from loose_objects where key = any(${files.map(({ key }) => key)})`.execute(tx)
}

/** The keys of the files that each message has. */
export async function listAttachedKeys(
  db: Db,
  messageIds: readonly number[],
): Promise<Map<number, string[]>> {
  const rows = await read(
    db,
    sql<{ message_id: number; keys: string[] }>`
    select message_id, array_agg(key) as keys from files where message_id = any(${messageIds}) group by 1`,
  )
  return new Map(rows.map(({ message_id, keys }) => [message_id, keys]))
}
