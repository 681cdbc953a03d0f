import type { ZipEntry } from '@parley/imports/write-zip'
import type { Db, Tx } from '../platform/db/index.js'

export async function insertPart(tx: Tx, export_id: number, number: number, key: string) {
  await tx.insertInto('export_parts').values({ export_id, number, key }).execute()
}

export async function listPartKeys(db: Db, export_id: number, after: number, count: number) {
  return db
    .selectFrom('export_parts')
    .select(['number', 'key'])
    .where('export_id', '=', export_id)
    .where('number', '>', after)
    .orderBy('number')
    .limit(count)
    .execute()
}

export type EntryRow = ZipEntry & { number: number }

export async function insertEntries(
  tx: Tx,
  export_id: number,
  first: number,
  entries: readonly (ZipEntry & { chat_id: number | null })[],
) {
  if (entries.length === 0) return
  const values = entries.map(({ name, chat_id, crc, compressed, size }, index) => ({
    export_id,
    number: first + index,
    name,
    chat_id,
    crc,
    compressed,
    size,
  }))
  await tx.insertInto('export_entries').values(values).execute()
}

export function listEntries(db: Db, export_id: number, after: number, count: number): Promise<EntryRow[]> {
  return db
    .selectFrom('export_entries')
    .select(['number', 'name', 'crc', 'compressed', 'size'])
    .where('export_id', '=', export_id)
    .where('number', '>', after)
    .orderBy('number')
    .limit(count)
    .execute()
}

/** Deletes what an export was built from. */
export async function deleteParts(tx: Tx, export_id: number) {
  await tx.deleteFrom('export_parts').where('export_id', '=', export_id).execute()
  await tx.deleteFrom('export_entries').where('export_id', '=', export_id).execute()
  await tx.deleteFrom('export_items').where('export_id', '=', export_id).execute()
}
