import { type Selectable, sql } from 'kysely'
import type { Actor } from '../platform/actor.js'
import { type DB, type Db, read } from '../platform/db/index.js'
import { keyset, type Paging } from '../platform/http/page.js'

export type ThreadRow = Selectable<DB['threads']>

export function findThread(db: Db, id: number): Promise<ThreadRow | undefined> {
  return db.selectFrom('threads').selectAll().where('id', '=', id).executeTakeFirst()
}

export function findThreadUnder(db: Db, messageId: number): Promise<ThreadRow | undefined> {
  return db.selectFrom('threads').selectAll().where('message_id', '=', messageId).executeTakeFirst()
}

/**
 * Those whom a new thread under a message concerns: its author, who reacted, and who follows threads of the chat; of a
 * closed chat only those who are still in it.
 */
export async function listFirstMembers(db: Db, messageId: number, chatId: number): Promise<number[]> {
  const rows = await read(
    db,
    sql<{ user_id: number }>`
    select user_id from (
      select user_id from messages where id = ${messageId}
      union select user_id from reactions where message_id = ${messageId}) concerned
    where exists (select from chats where id = ${chatId} and public)
      or exists (select from chat_members m where m.chat_id = ${chatId} and m.user_id = concerned.user_id)
    union select user_id from chat_members where chat_id = ${chatId} and notify_threads`,
  )
  return rows.map(({ user_id }) => user_id)
}

export interface ThreadFilter {
  after?: Date | undefined
  before?: Date | undefined
}

/**
 * Threads the actor is in, and those under messages of the chats the actor is in, latest activity first. Of each
 * chat only its latest threads are read, in the index alone; an open chat alone does not count.
 */
export async function listThreadsFor(
  db: Db,
  actor: Actor,
  { after, before }: ThreadFilter,
  paging: Paging,
): Promise<ThreadRow[]> {
  const columns = { id: sql`t.id`, value: sql`t.updated_at`, cast: 'timestamptz' as const }
  const { where, orderBy, limit } = keyset(paging, columns)
  const from = after ? sql`t.updated_at >= ${after}` : sql`true`
  const to = before ? sql`t.updated_at <= ${before}` : sql`true`
  const rows = await read(
    db,
    sql<ThreadRow>`
    with latest as materialized (
      select t.id, t.updated_at from (
        select latest.* from chat_members mine cross join lateral (
          select t.id, t.updated_at from threads t
          where t.message_chat_id = mine.chat_id and ${from} and ${to} and ${where}
          order by ${orderBy} limit ${limit}) latest
        where mine.user_id = ${actor.user_id} and mine.place <> 'thread'
        union
        select own.* from chat_members mine cross join lateral (
          select t.id, t.updated_at from threads t
          where t.chat_id = mine.chat_id and ${from} and ${to} and ${where} limit 1) own
        where mine.user_id = ${actor.user_id} and mine.place = 'thread') t
      order by ${orderBy} limit ${limit})
    select t.* from latest cross join lateral (select * from threads t where t.id = latest.id offset 0) t
    order by ${orderBy}`,
  )
  return rows
}

/** Those of these people who are in the chat. */
export async function listAmong(db: Db, chatId: number, userIds: readonly number[]): Promise<number[]> {
  const rows = await read(
    db,
    sql<{ user_id: number }>`
    select user_id from chat_members where chat_id = ${chatId} and user_id = any(${userIds})`,
  )
  return rows.map(({ user_id }) => user_id)
}
