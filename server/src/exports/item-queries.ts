import { sql } from 'kysely'
import { anyId } from '../platform/db/any-sql.js'
import { type Db, read, type Tx } from '../platform/db/index.js'
import type { ExportRow } from './queries.js'

export interface Span {
  from: Date
  to: Date
}

export async function hasMessages(db: Db, { from, to }: Span): Promise<boolean> {
  const rows = await read(
    db,
    sql<{ some: boolean }>`
    select exists (select from messages where created_at >= ${from} and created_at < ${to}) as some`,
  )
  return rows[0]?.some ?? false
}

/** Lists the messages of a span of time; threads of personal chats are left out. */
export async function insertItems(tx: Tx, row: ExportRow, { from, to }: Span) {
  const asked = row.chat_ids
    ? sql`(m.root_chat_id = any(${row.chat_ids}) or m.chat_id = any(${row.chat_ids}))`
    : sql`true`
  await sql`
    insert into export_items (export_id, chat_id, message_id)
    select ${row.id}, m.root_chat_id, m.id from messages m join chats root on root.id = m.root_chat_id
    where m.created_at >= ${from} and m.created_at < ${to} and ${asked}
      and (root.kind <> 'personal' or m.chat_id = m.root_chat_id)
    on conflict do nothing`.execute(tx)
}

export interface MessageItem {
  id: number
  /** The chat whose folder it is in. */
  folder_id: number
  user_id: number
  content: string
  created_at: Date
  deleted_at: Date | null
  /** Of the thread under it, where that has comments. */
  thread_id: number | null
  in_thread_id: number | null
  in_thread_message_id: number | null
  in_thread_chat_id: number | null
}

/** The next messages in order, as many as fit in the memory set aside for them. */
export async function listItems(
  db: Db,
  row: ExportRow,
  count: number,
  bytes: number,
): Promise<MessageItem[]> {
  const rows = await read(
    db,
    sql<MessageItem>`
    with page as materialized (
      select i.chat_id, i.message_id from export_items i
      where i.export_id = ${row.id} and (i.chat_id, i.message_id) > (${row.after_chat_id}, ${row.after_message_id})
      order by i.chat_id, i.message_id limit ${count})
    select id, folder_id, user_id, content, created_at, deleted_at, thread_id, in_thread_id, in_thread_message_id,
      in_thread_chat_id
    from (
      select m.id, p.chat_id as folder_id, m.user_id, m.content, m.created_at, m.deleted_at, under.id as thread_id,
        inside.id as in_thread_id, inside.message_id as in_thread_message_id,
        inside.message_chat_id as in_thread_chat_id,
        sum(octet_length(m.content)) over (order by p.chat_id, p.message_id) - octet_length(m.content) as before
      from page p join messages m on m.id = p.message_id
      left join threads under on under.message_id = m.id
        and exists (select from chats c where c.id = under.chat_id and c.last_message_id is not null)
      left join threads inside on inside.chat_id = m.chat_id) listed
    where before <= ${bytes} order by folder_id, id`,
  )
  return rows
}

export async function deleteItems(tx: Tx, exportId: number, { folder_id, id }: MessageItem) {
  await sql`delete from export_items
    where export_id = ${exportId} and (chat_id, message_id) <= (${folder_id}, ${id})`.execute(tx)
}

export interface ReactionItem {
  message_id: number
  user_id: number
  created_at: Date
  code: string
}

export function listReactionsOf(db: Db, ids: readonly number[]): Promise<ReactionItem[]> {
  return db
    .selectFrom('reactions')
    .select(['message_id', 'user_id', 'created_at', 'code'])
    .where('message_id', '=', anyId(ids))
    .orderBy('id')
    .execute()
}

export interface UserItem {
  id: number
  bot: boolean
  first_name: string | null
  last_name: string | null
  email: string | null
  tags: string[]
}

export async function listUsersOf(db: Db, ids: readonly number[]): Promise<UserItem[]> {
  const rows = await read(
    db,
    sql<UserItem>`
    select u.id, u.bot, u.first_name, u.last_name, u.email, array(
      select g.name from user_tags t join group_tags g on g.id = t.tag_id where t.user_id = u.id order by g.id) as tags
    from users u where u.id = any(${ids})`,
  )
  return rows
}

export interface ChatItem {
  id: number
  kind: string
  name: string
  owner_id: number
  created_at: Date
  last_message_at: Date
  tags: string[]
  /** Of a personal chat: what its two sides are called, in the order of their ids. */
  sides: string[]
}

export async function listChatsOf(db: Db, ids: readonly number[]): Promise<ChatItem[]> {
  const rows = await read(
    db,
    sql<ChatItem>`
    select c.id, c.kind, c.name, c.owner_id, c.created_at, c.last_message_at, array(
        select g.name from chat_tags t join group_tags g on g.id = t.tag_id where t.chat_id = c.id order by g.id) as tags,
      case when c.kind = 'personal' then array(
        select coalesce(nullif(concat_ws(' ', u.first_name, u.last_name), ''), u.nickname)
        from users u where u.id = any(string_to_array(c.personal_key, ':')::bigint[]) order by u.id) else '{}' end as sides
    from chats c where c.id = any(${ids}) order by c.id`,
  )
  return rows
}

export interface MemberItem {
  chat_id: number
  id: number
  role: string
}

export async function listMembersOf(db: Db, ids: readonly number[]): Promise<MemberItem[]> {
  const rows = await read(
    db,
    sql<MemberItem>`
    select chat_id, user_id as id, role from chat_members
    where chat_id = any(${ids}) order by chat_id, user_id`,
  )
  return rows
}

/** The chats of chats.json after one: those that have messages in the archive, or all that were asked for. */
export async function listExportedChats(db: Db, row: ExportRow, count: number): Promise<number[]> {
  const from = row.chat_ids
    ? sql`select unnest(${row.chat_ids}::bigint[]) as chat_id`
    : sql`select chat_id from export_entries where export_id = ${row.id}`
  const rows = await read(
    db,
    sql<{ chat_id: number }>`
    select distinct chat_id from (${from}) chats where chat_id > ${row.after_chat_id}
    order by chat_id limit ${count}`,
  )
  return rows.map(({ chat_id }) => chat_id)
}
