import { sql } from 'kysely'
import { type Db, read } from '../platform/db/index.js'
import type { ImportRow } from './queries.js'

export async function listChatNames(db: Db, ids: readonly number[]): Promise<Map<number, string>> {
  const rows = await read(
    db,
    sql<{ id: number; name: string }>`select id, name from chats where id = any(${ids})`,
  )
  return new Map(rows.map(({ id, name }) => [id, name]))
}

/** Those of these ids that are conversations and channels: what an archive may be told to write into. */
export async function listRooms(db: Db, ids: readonly number[]): Promise<Set<number>> {
  const rows = await read(
    db,
    sql<{ id: number }>`
    select id from chats where id = any(${ids}) and kind in ('conversation', 'channel')`,
  )
  return new Set(rows.map(({ id }) => id))
}

export async function listTagNames(db: Db, ids: readonly number[]): Promise<Map<number, string>> {
  const rows = await read(
    db,
    sql<{ id: number; name: string }>`select id, name from group_tags where id = any(${ids})`,
  )
  return new Map(rows.map(({ id, name }) => [id, name]))
}

/** The tags of these names, in small letters. */
export async function listTagsNamed(db: Db, names: readonly string[]): Promise<Map<string, string>> {
  if (names.length === 0) return new Map()
  const wanted = names.map((name) => name.toLowerCase())
  const rows = await read(
    db,
    sql<{ name: string }>`select name from group_tags where lower(name) = any(${wanted})`,
  )
  return new Map(rows.map(({ name }) => [name.toLowerCase(), name]))
}

/** All chats and people that have keys, for a run that goes on. */
export async function listKeysOf(
  db: Db,
  { source, workspace }: Pick<ImportRow, 'source' | 'workspace'>,
  kind: string,
): Promise<Map<string, number>> {
  const rows = await read(
    db,
    sql<{ source_id: string; id: number }>`
    select source_id, id from import_keys where source = ${source} and workspace = ${workspace} and kind = ${kind}`,
  )
  return new Map(rows.map(({ source_id, id }) => [source_id, id]))
}

/** The next ids that replies name as the message of their thread. */
export async function listRootIds(db: Db, after: string, count: number): Promise<string[]> {
  const rows = await read(
    db,
    sql<{ id: string }>`
    with recursive roots as (
      (select body ->> 'thread_of' as id, 1 as number from import_records
        where kind = 'message' and body ->> 'thread_of' > ${after} order by 1 limit 1)
      union all
      select (select body ->> 'thread_of' from import_records
        where kind = 'message' and body ->> 'thread_of' > roots.id order by 1 limit 1), number + 1
      from roots where roots.id is not null and number < ${count}
    ) select id from roots where id is not null order by id`,
  )
  return rows.map(({ id }) => id)
}

export interface RootRow {
  source_id: string
  chat_id: string
  author_id: string | null
  at: number
}

/**
 * Those of the ids that are messages of the archive, or were written by an earlier run. A reply carries no thread. Each id is
 * looked up by itself: for a list of them the planner expects half the table, and reads all of it.
 */
export function listRoots(
  db: Db,
  { source, workspace }: Pick<ImportRow, 'source' | 'workspace'>,
  ids: readonly string[],
): Promise<RootRow[]> {
  return read(
    db,
    sql<RootRow>`
    with replies as materialized (
      select wanted.id, reply.chat_id, reply.at
      from unnest(${ids}::text[]) as wanted (id) cross join lateral (
        select (array_agg(body ->> 'chat_id' order by at, seq))[1] as chat_id, min(at) as at
        from import_records where kind = 'message' and body ->> 'thread_of' = wanted.id) reply
      where reply.at is not null)
    select reply.id as source_id, coalesce(root.body ->> 'chat_id', reply.chat_id) as chat_id,
      root.body ->> 'author_id' as author_id, coalesce(root.at, reply.at) as at
    from replies reply
      left join lateral (select body, at from import_records where kind = 'message' and source_id = reply.id limit 1) root on true
    where root.body ->> 'thread_of' is null and (root.at is not null or exists (
      select from import_keys k
      where k.source = ${source} and k.workspace = ${workspace} and k.kind = 'message' and k.source_id = reply.id))`,
  )
}

/** Who is in each chat: its members, and the two of a personal chat, who become members at the end of an import. */
export async function listReaders(db: Db, chatIds: readonly number[]): Promise<Map<number, Set<number>>> {
  if (chatIds.length === 0) return new Map()
  const rows = await read(
    db,
    sql<{ chat_id: number; user_id: number }>`
    select chat_id, user_id from chat_members where chat_id = any(${chatIds})
    union all
    select id, person::bigint from chats cross join unnest(string_to_array(personal_key, ':')) person
    where id = any(${chatIds}) and kind = 'personal'`,
  )
  const readers = new Map<number, Set<number>>(chatIds.map((id) => [id, new Set()]))
  for (const { chat_id, user_id } of rows) readers.get(chat_id)?.add(user_id)
  return readers
}
