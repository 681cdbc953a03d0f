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

/** Bytes of the tables with their indexes, but for those where records wait. */
export async function sumTableBytes(db: Db): Promise<number> {
  const [row] = await read(
    db,
    sql<{ bytes: number }>`
    select sum(pg_total_relation_size(oid))::bigint as bytes from pg_class
    where relkind = 'r' and relnamespace = current_schema()::regnamespace and relname <> 'import_records'`,
  )
  return row?.bytes ?? 0
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
