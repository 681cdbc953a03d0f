import { sql } from 'kysely'
import type { Tx } from '../platform/db/index.js'

export interface PortableTag {
  id: number
  name: string
  created_at: string
}

/** Makes tags whose names are free; gives the ids of those that were made. */
export async function insertPortableTags(tx: Tx, tags: readonly PortableTag[]): Promise<Set<number>> {
  const { rows } = await sql<{ id: number }>`
    insert into group_tags (id, name, created_at)
    select id, name, created_at from jsonb_populate_recordset(null::group_tags, ${JSON.stringify(tags)}::jsonb)
    on conflict do nothing returning id`.execute(tx)
  return new Set(rows.map(({ id }) => id))
}

/** Tags by their names, in small letters. */
export async function listTagsNamed(tx: Tx, names: readonly string[]): Promise<Map<string, number>> {
  const { rows } = await sql<{ id: number; name: string }>`
    select id, lower(name) as name from group_tags
    where lower(name) in (select lower(name) from unnest(${names}::text[]) as name)`.execute(tx)
  return new Map(rows.map(({ id, name }) => [name, id]))
}

/** Tags of people who are taken out. */
export async function deleteTagsOf(tx: Tx, userIds: readonly number[]) {
  await sql`delete from user_tags where user_id = any(${userIds})`.execute(tx)
}
