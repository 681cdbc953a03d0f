import { sql } from 'kysely'
import { type Db, read, type Tx } from '../platform/db/index.js'

/** Objects that were hashed already; a null hash is of one that is not there. */
export async function findHashes(db: Db, keys: readonly string[]): Promise<Map<string, string | null>> {
  const rows = await read(
    db,
    sql<{ key: string; sha256: string | null }>`
    select key, sha256 from portable_objects where key = any(${keys})`,
  )
  return new Map(rows.map(({ key, sha256 }) => [key, sha256]))
}

export async function insertHashes(tx: Tx, hashes: ReadonlyMap<string, string | null>) {
  await sql`
    insert into portable_objects
    select * from unnest(${[...hashes.keys()]}::text[], ${[...hashes.values()]}::text[])`.execute(tx)
}

/** For `listContents`, once all objects are hashed. */
export async function sortContents(tx: Tx) {
  await sql`create index on portable_objects (sha256)`.execute(tx)
}

/** The next contents, by hash, each with an object that has it. */
export function listContents(
  db: Db,
  after: string,
  limit: number,
): Promise<{ sha256: string; key: string }[]> {
  return read(
    db,
    sql<{ sha256: string; key: string }>`
    select sha256, min(key) as key from portable_objects where sha256 > ${after}
    group by sha256 order by sha256 limit ${limit}`,
  )
}
