import { type RawBuilder, type Selectable, sql } from 'kysely'
import type { Actor } from '../platform/actor.js'
import { type DB, type Db, read } from '../platform/db/index.js'
import { opaqueId } from '../platform/db/opaque-sql.js'
import { ownersPageSql } from '../platform/http/owners-page-sql.js'
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

/** Selects `id` and `time` of a page of the threads that the actor is in, latest activity first. */
export function ownThreadsSql(
  actor: Actor,
  paging: Paging,
  within = sql<boolean>`true`,
): RawBuilder<unknown> {
  return ownersPageSql(paging, {
    owners: sql`select chat_id as id from chat_members where user_id = ${opaqueId(actor.user_id)} and place = 'thread'`,
    owner: 't.chat_id',
    owned: sql`(select true from chat_members m where m.chat_id = t.chat_id and m.user_id = ${actor.user_id})`,
    table: sql`threads t`,
    time: sql`t.updated_at`,
    id: sql`t.id`,
    within,
  })
}

/**
 * Threads the actor is in, and those under messages of the chats the actor is in, latest activity first; an open chat alone does
 * not count.
 */
export async function listThreadsFor(
  db: Db,
  actor: Actor,
  { after, before }: ThreadFilter,
  paging: Paging,
): Promise<ThreadRow[]> {
  const { orderBy, limit } = keyset(paging, { id: sql`own.id`, value: sql`own.time` })
  const from = after ? sql`t.updated_at >= ${after}` : sql`true`
  const to = before ? sql`t.updated_at <= ${before}` : sql`true`
  const active = sql<boolean>`${from} and ${to}`
  const inChats = ownersPageSql(paging, {
    owners: sql`select chat_id as id from chat_members where user_id = ${opaqueId(actor.user_id)} and place <> 'thread'`,
    owner: 't.message_chat_id',
    owned: sql`(select true from chat_members m where m.chat_id = t.message_chat_id and m.user_id = ${actor.user_id})`,
    table: sql`threads t`,
    time: sql`t.updated_at`,
    id: sql`t.id`,
    within: active,
  })
  return read(
    db,
    sql<ThreadRow>`
    select t.* from (select * from ((${inChats}) union (${ownThreadsSql(actor, paging, active)})) own
      order by ${orderBy} limit ${limit}) own
    cross join lateral (select * from threads where id = own.id offset 0) t
    order by ${orderBy}`,
  )
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
