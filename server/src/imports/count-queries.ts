import { sql } from 'kysely'
import { type Db, read } from '../platform/db/index.js'

/** In how many chats of the archive each person is. */
export async function countChatsOf(db: Db, people: readonly string[]): Promise<Map<string, number>> {
  if (people.length === 0) return new Map()
  const rows = await read(
    db,
    sql<{ person: string; count: number }>`
    select body ->> 'person_id' as person, count(*)::int as count from import_records
    where kind = 'chat_member' and body ->> 'person_id' = any(${people}) group by 1`,
  )
  return new Map(rows.map(({ person, count }) => [person, count]))
}

interface TableBytes {
  table: number
  bytes: number
  /** Whether the transaction that asks has inserted rows. */
  written: boolean
}

/** Bytes of each table with its indexes, but for that where records wait. */
export function listTableBytes(db: Db): Promise<TableBytes[]> {
  return read(
    db,
    sql<TableBytes>`
    select oid::bigint as "table", pg_total_relation_size(oid) as bytes,
      pg_stat_get_xact_tuples_inserted(oid) > 0 as written
    from pg_class
    where relkind = 'r' and relnamespace = current_schema()::regnamespace and relname <> 'import_records'`,
  )
}

/** Bytes of the files that an import has stored. */
export async function sumFileBytes(db: Db, importId: number): Promise<number> {
  const [row] = await read(
    db,
    sql<{ bytes: number }>`
    select coalesce(sum(size), 0)::bigint as bytes from import_objects where import_id = ${importId}`,
  )
  return row?.bytes ?? 0
}
