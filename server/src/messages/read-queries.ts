import { sql } from 'kysely'
import type { Actor } from '../platform/actor.js'
import { type Db, read } from '../platform/db/index.js'
import { type Owner, only, onlySql } from '../platform/db/only-sql.js'
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
  const of: Owner = ['m.chat_id', sql`${message.chat_id}::bigint`]
  const { where, orderBy, limit, offset } = keyset(paging, { of, id: sql`m.user_id` })
  const rows = await read(
    db,
    sql<{ user_id: number }>`
    select m.user_id from chat_members m join users u on u.id = m.user_id
    where m.read_message_id >= ${message.id}
      and m.user_id not in (${actor.user_id}, ${message.user_id})
      and not u.suspended and u.deleted_at is null and ${where}
    order by ${orderBy} limit ${limit} offset ${offset}`,
  )
  return rows
}

const COUNTED_AT_MOST = 100
/** The largest page. It stands in the text: with a parameter in its place the plan expects few rows, and walks all chats to find them. */
export const UNREAD_AT_MOST = 300

/** Whether an unread message names `mine`: by name, by a tag, or with everybody. */
const MENTIONED = sql.raw(`coalesce(
  (select true from mentions n where ${onlySql('n.user_id', 'mine.user_id')} and n.chat_id = mine.chat_id
      and n.message_id > mine.read_message_id
    order by n.user_id, n.chat_id, n.message_id limit 1),
  (select true from mentions n where n.user_id is null and ${onlySql('n.chat_id', 'mine.chat_id')}
      and n.message_id > mine.read_message_id
      and (n.tag_id is null or n.tag_id in (select ut.tag_id from user_tags ut where ut.user_id = mine.user_id))
    order by n.chat_id, n.message_id limit 1), false)`)

/**
 * The chats of a person with messages after the pointer, as JSON. Own ones are there only where the person marked them unread, and
 * count as they do on cards. Each chat costs a bounded read of its tail.
 */
export async function listUnreadTexts(
  db: Db,
  actor: Actor,
  paging: Paging,
): Promise<{ chat_id: number; json: string }[]> {
  const { where, orderBy } = keyset(paging, { id: sql`mine.chat_id` })
  const rows = await read(
    db,
    sql<{ chat_id: number; json: string }>`
    select mine.chat_id, '{"chat_id":' || mine.chat_id || ',"thread_id":' || coalesce(t.id::text, 'null')
      || ',"read_message_id":' || mine.read_message_id || ',"unread_count":' || tail.count
      || ',"mentioned":' || ${MENTIONED} || '}' as json
    from chat_members mine
    cross join lateral (select c.kind from chats c
      where c.id = mine.chat_id and c.archived_at is null and c.last_message_id > mine.read_message_id offset 0) c
    left join threads t on c.kind = 'thread' and t.chat_id = mine.chat_id
    cross join lateral (select count(*) from (
      select from messages m
      where ${only(['m.chat_id', sql`mine.chat_id`])} and m.id > mine.read_message_id and m.deleted_at is null
        and not m.system
      order by m.chat_id desc, m.id desc limit ${sql.lit(COUNTED_AT_MOST)}) unread) tail
    where mine.user_id = ${actor.user_id} and tail.count > 0 and ${where}
    order by ${orderBy} limit ${sql.lit(UNREAD_AT_MOST + 1)}`,
  )
  return rows.slice(0, paging.limit + 1)
}
