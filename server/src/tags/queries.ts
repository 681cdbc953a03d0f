import { type RawBuilder, sql } from 'kysely'
import type { Actor } from '../platform/actor.js'
import { type Db, read, type Tx } from '../platform/db/index.js'
import { keyset, type Paging } from '../platform/http/page.js'

export interface TagRow {
  id: number
  name: string
  users_count: number
}

/** Everybody sees every tag, a multi-guest those of the active chats they are in. */
function seenBy(actor: Actor): RawBuilder<unknown> {
  if (actor.role !== 'multi_guest') return sql`true`
  return sql`t.id in (select ct.tag_id from chat_members m
    join chats c on c.id = m.chat_id and c.archived_at is null join chat_tags ct on ct.chat_id = c.id
    where m.user_id = ${actor.user_id} and m.place = 'group')`
}

export async function findTagFor(db: Db, actor: Actor, tagId: number): Promise<TagRow | undefined> {
  const rows = await read(
    db,
    sql<TagRow>`
    select t.id, t.name, t.users_count from group_tags t where t.id = ${tagId} and ${seenBy(actor)}`,
  )
  return rows[0]
}

/** Tags with words that begin as each pattern says. */
export async function listTagsByPrefixFor(
  db: Db,
  actor: Actor,
  patterns: readonly string[],
  limit: number,
): Promise<TagRow[]> {
  const rows = await read(
    db,
    sql<TagRow>`
    select t.id, t.name, t.users_count from group_tags t
    where ${seenBy(actor)} and ' ' || lower(translate(t.name, '._-', '   ')) like all(${patterns}::text[])
    order by lower(t.name), t.id limit ${limit}`,
  )
  return rows
}

export async function listTagRowsFor(db: Db, actor: Actor, names: readonly string[] | null, paging: Paging) {
  const page = keyset(paging, { id: sql`t.id` })
  // Looked up first: a plan that reads tags in order until a page is full would read them all.
  const named = names
    ? sql`t.id = any(array(select id from group_tags
        where lower(name) = any(array(select lower(btrim(name)) from unnest(${names}::text[]) as name))))`
    : sql`true`
  const rows = await read(
    db,
    sql<TagRow>`
    select t.id, t.name, t.users_count from group_tags t where ${seenBy(actor)} and ${named} and ${page.where}
    order by ${page.orderBy} limit ${page.limit} offset ${page.offset}`,
  )
  return rows
}

export async function listTagUserIds(db: Db, tagId: number, paging: Paging) {
  const page = keyset(paging, { of: ['ut.tag_id', sql`${tagId}::bigint`], id: sql`ut.user_id` })
  const rows = await read(
    db,
    sql<{ id: number }>`
    select ut.user_id as id from user_tags ut join users u on u.id = ut.user_id and u.deleted_at is null
    where ${page.where}
    order by ${page.orderBy} limit ${page.limit} offset ${page.offset}`,
  )
  return rows
}

export function insertTag(tx: Tx, tag: { name: string; created_at: Date }): Promise<TagRow> {
  return tx
    .insertInto('group_tags')
    .values(tag)
    .returning(['id', 'name', 'users_count'])
    .executeTakeFirstOrThrow()
}

/** Makes those of the names that no tag has yet. */
export async function insertMissingTags(tx: Tx, names: readonly string[], created_at: Date) {
  const { rows } = await sql<TagRow>`
    insert into group_tags (name, created_at) select name, ${created_at} from unnest(${names}::text[]) as name
    on conflict (lower(name)) do nothing returning id, name, users_count`.execute(tx)
  return rows
}

export async function listTagIdsByName(db: Db, names: readonly string[]): Promise<number[]> {
  const rows = await read(
    db,
    sql<{ id: number }>`
    select id from group_tags
    where lower(name) = any(array(select lower(name) from unnest(${names}::text[]) as name))`,
  )
  return rows.map(({ id }) => id)
}

export async function renameTagRow(tx: Tx, tagId: number, name: string) {
  await tx.updateTable('group_tags').set({ name }).where('id', '=', tagId).execute()
}

export async function deleteTagRow(tx: Tx, tagId: number) {
  await tx.deleteFrom('group_tags').where('id', '=', tagId).execute()
}

/**
 * Holds tags in the order of their ids: until the commit nobody else binds, unbinds or deletes them, nor changes who
 * has them. Locks go from people to tags to chats.
 */
export async function lockTags(tx: Tx, tagIds: readonly number[]): Promise<TagRow[]> {
  if (tagIds.length === 0) return []
  await sql`select from group_tags where id = any(${tagIds}::bigint[]) order by id for no key update`.execute(
    tx,
  )
  const { rows } = await sql<TagRow>`
    select id, name, users_count from group_tags where id = any(${tagIds}::bigint[]) order by id`.execute(tx)
  return rows
}

/** Holds a tag together with all that these people have, who are locked. */
export async function lockTagsOf(tx: Tx, tagId: number, userIds: readonly number[]) {
  await sql`
    select from group_tags
    where id = ${tagId} or id in (select tag_id from user_tags where user_id = any(${userIds}::bigint[]))
    order by id for no key update`.execute(tx)
}

export async function listTagIdsOfUser(db: Db, userId: number): Promise<number[]> {
  const rows = await db.selectFrom('user_tags').select('tag_id').where('user_id', '=', userId).execute()
  return rows.map(({ tag_id }) => tag_id)
}

export async function insertUserTags(tx: Tx, userId: number, tagIds: readonly number[]) {
  await sql`insert into user_tags (tag_id, user_id)
    select tag_id, ${userId} from unnest(${tagIds}::bigint[]) as tag_id`.execute(tx)
}

export async function deleteUserTags(tx: Tx, userId: number, tagIds: readonly number[]) {
  await sql`delete from user_tags where user_id = ${userId} and tag_id = any(${tagIds}::bigint[])`.execute(tx)
}

/** Whether this person or bot may have tags at all, held until the commit. */
export async function lockTaggable(tx: Tx, userId: number) {
  const { rows } = await sql<{ guest: boolean; single_chat: boolean }>`
    select u.role = 'guest' as guest,
      exists (select from bots b where b.user_id = u.id and b.single_chat) as single_chat
    from users u where u.id = ${userId} and u.deleted_at is null for no key update of u`.execute(tx)
  return rows[0]
}
