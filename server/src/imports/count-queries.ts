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
