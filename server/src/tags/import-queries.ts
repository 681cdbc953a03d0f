import { sql } from 'kysely'
import type { Tx } from '../platform/db/index.js'

/** Makes tags that are not there; gives every one of the names with its id, in small letters. */
export async function insertImportedTags(
  tx: Tx,
  names: readonly string[],
  now: Date,
): Promise<{ ids: Map<string, number>; made: Set<number> }> {
  const { rows: made } = await sql<{ id: number }>`
    insert into group_tags (name, created_at) select distinct on (lower(name)) name, ${now}::timestamptz
    from unnest(${names}::text[]) as name on conflict (lower(name)) do nothing returning id`.execute(tx)
  const { rows } = await sql<{ id: number; name: string }>`
    select id, lower(name) as name from group_tags
    where lower(name) = any(array(select lower(name) from unnest(${names}::text[]) as name))`.execute(tx)
  return { ids: new Map(rows.map(({ id, name }) => [name, id])), made: new Set(made.map(({ id }) => id)) }
}

/** Gives people tags; gives how many did not have them. Chats that follow a tag do not follow an import. */
export async function insertImportedTagMembers(
  tx: Tx,
  pairs: readonly { tag_id: number; user_id: number }[],
): Promise<number> {
  if (pairs.length === 0) return 0
  const { numAffectedRows } = await sql`
    insert into user_tags (tag_id, user_id)
    select distinct * from unnest(${pairs.map(({ tag_id }) => tag_id)}::bigint[], ${pairs.map(({ user_id }) => user_id)}::bigint[])
    on conflict do nothing`.execute(tx)
  return Number(numAffectedRows ?? 0n)
}

/** Takes out tags that no chat follows. */
export async function deleteImportedTags(tx: Tx, ids: readonly number[]) {
  await sql`delete from user_tags where tag_id = any(${ids})
    and not exists (select from chat_tags c where c.tag_id = user_tags.tag_id)`.execute(tx)
  await sql`delete from group_tags t where id = any(${ids})
    and not exists (select from user_tags u where u.tag_id = t.id) and not exists (select from chat_tags c where c.tag_id = t.id)`.execute(
    tx,
  )
}
