import { sql } from 'kysely'
import type { Actor } from '../platform/actor.js'
import { type Db, read } from '../platform/db/index.js'
import { keyset, type Paging } from '../platform/http/page.js'
import type { MessageRow } from './queries.js'

export async function isMember(db: Db, chatId: number, userId: number): Promise<boolean> {
  const member = await db
    .selectFrom('chat_members')
    .select('user_id')
    .where('chat_id', '=', chatId)
    .where('user_id', '=', userId)
    .executeTakeFirst()
  return member !== undefined
}

/** The newest message of people and bots; null in an empty chat. */
export async function findNewestId(db: Db, chatId: number): Promise<number | null> {
  const chat = await db
    .selectFrom('chats')
    .select('last_message_id')
    .where('id', '=', chatId)
    .executeTakeFirst()
  return chat?.last_message_id ?? null
}

export function findMessageIn(db: Db, chatId: number, messageId: number) {
  return db
    .selectFrom('messages')
    .select('id')
    .where('id', '=', messageId)
    .where('chat_id', '=', chatId)
    .executeTakeFirst()
}

/** Members whose pointer is at the message or past it, by id; not the caller, the author, or who is suspended. */
export async function listReaders(
  db: Db,
  actor: Actor,
  message: MessageRow,
  paging: Paging,
): Promise<{ user_id: number }[]> {
  const { where, orderBy, limit, offset } = keyset(paging, { id: sql`m.user_id` })
  const rows = await read(
    db,
    sql<{ user_id: number }>`
    select m.user_id from chat_members m join users u on u.id = m.user_id
    where m.chat_id = ${message.chat_id} and m.read_message_id >= ${message.id}
      and m.user_id not in (${actor.user_id}, ${message.user_id})
      and not u.suspended and u.deleted_at is null and ${where}
    order by ${orderBy} limit ${limit} offset ${offset}`,
  )
  return rows
}

const COUNTED_AT_MOST = 100

export interface UnreadRow {
  chat_id: number
  thread_id: number | null
  read_message_id: number
  unread_count: number
  contents: string[] | null
  /** Named by a mention that holds for this person alone, such as `@here` while present. */
  called: boolean
}

/** The chats of a person with messages of others after the pointer. Each chat costs a bounded read of its tail. */
export async function listUnreadRows(db: Db, actor: Actor, paging: Paging): Promise<UnreadRow[]> {
  const { where, orderBy, limit } = keyset(paging, { id: sql`mine.chat_id` })
  const rows = await read(
    db,
    sql<UnreadRow>`
    select mine.chat_id, t.id as thread_id, mine.read_message_id, tail.unread_count, tail.contents,
      exists (select from mentions n where n.user_id = mine.user_id and n.chat_id = mine.chat_id
        and n.message_id > mine.read_message_id) as called
    from chat_members mine
    join chats c on c.id = mine.chat_id and c.archived_at is null and c.last_message_id > mine.read_message_id
    left join threads t on t.chat_id = c.id
    cross join lateral (
      select count(*) as unread_count,
        array_agg(content) filter (where content like '%@%') as contents
      from (
        select m.content from messages m
        where m.chat_id = mine.chat_id and m.id > mine.read_message_id and m.deleted_at is null
          and not m.system and m.user_id <> ${actor.user_id}
        order by m.id desc limit ${COUNTED_AT_MOST}::int) unread) tail
    where mine.user_id = ${actor.user_id} and tail.unread_count > 0 and ${where}
    order by ${orderBy} limit ${limit}`,
  )
  return rows
}

/** The names by which texts call a person: the nickname, the tags, and what calls everybody. */
export async function findCallNames(db: Db, userId: number): Promise<Set<string>> {
  const rows = await read(
    db,
    sql<{ name: string }>`
    select lower(nickname) as name from users where id = ${userId}
    union select lower(replace(g.name, ' ', '')) from group_tags g join user_tags ut on ut.tag_id = g.id
      where ut.user_id = ${userId}
    union values ('all')`,
  )
  return new Set(rows.map(({ name }) => name))
}
