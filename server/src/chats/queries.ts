import { type Insertable, type RawBuilder, type Selectable, sql } from 'kysely'
import type { Actor } from '../platform/actor.js'
import { type DB, type Db, read, type Tx } from '../platform/db/index.js'

export type ChatRow = Selectable<DB['chats']>

/** A chat and what the actor is in it; of a thread also what the actor is in the chat it hangs in. */
export interface ChatFor extends ChatRow {
  my_role: string | null
  my_tag_ids: number[] | null
  my_read_message_id: number | null
  thread_id: number | null
  thread_message_id: number | null
  /** The chat a thread hangs in; null for a thread of its own and for everything that is no thread. */
  parent_chat_id: number | null
  parent_kind: string | null
  parent_public: boolean | null
  parent_archived_at: Date | null
  my_parent_role: string | null
}

/** The columns of a `ChatFor`, further ones, and where they come from. */
export const CHAT_FOR_SQL = (
  actor: Pick<Actor, 'user_id'>,
  chatId: number,
  more: RawBuilder<unknown>,
): RawBuilder<unknown> => sql`
  c.*, me.role as my_role, me.tag_ids as my_tag_ids, me.read_message_id as my_read_message_id,
    t.id as thread_id, t.message_id as thread_message_id, p.id as parent_chat_id, p.kind as parent_kind,
    p.public as parent_public, p.archived_at as parent_archived_at, mine.role as my_parent_role ${more}
  from chats c
  left join chat_members me on me.chat_id = c.id and me.user_id = ${actor.user_id}
  left join threads t on t.chat_id = c.id
  left join chats p on p.id = t.message_chat_id
  left join chat_members mine on mine.chat_id = p.id and mine.user_id = ${actor.user_id}
  where c.id = ${chatId}`

/** The chat, and what the actor is in it; undefined where there is no such chat. */
export async function findChatFor(db: Db, actor: Pick<Actor, 'user_id'>, chatId: number) {
  const rows = await read(db, sql<ChatFor>`select ${CHAT_FOR_SQL(actor, chatId, sql``)}`)
  return rows[0]
}

/**
 * The same, alone with the chat's settings and roster until the commit. It is a lock of its own and not that of the
 * row: messages move the row, and a message must not wait for thousands of people to join.
 */
export async function lockChatFor(tx: Tx, actor: Pick<Actor, 'user_id'>, chatId: number) {
  await sql`select pg_advisory_xact_lock(hashtextextended('chat:' || ${String(chatId)}::text, 0))`.execute(tx)
  return findChatFor(tx, actor, chatId)
}

/** Holds off those who change the roster of a chat until this transaction ends; waits for one who is at it. */
export async function holdRoster(tx: Tx, chatId: number) {
  await sql`select pg_advisory_xact_lock_shared(hashtextextended('chat:' || ${String(chatId)}::text, 0))`.execute(
    tx,
  )
}

/** Locks the count of members. Locks go from it to the row of the chat, and to those of members last. */
export async function lockCount(tx: Tx, chatId: number) {
  await sql`select from chat_rosters where chat_id = ${chatId} for no key update`.execute(tx)
}

/** Locks what a message locks, in its order, before members go: they may be writing right now. */
export async function lockForLeaving(tx: Tx, chatId: number) {
  await lockCount(tx, chatId)
  await sql`select from chats where id = ${chatId} for no key update`.execute(tx)
}

export function insertChat(tx: Tx, chat: Insertable<DB['chats']>) {
  return tx.insertInto('chats').values(chat).returningAll().executeTakeFirstOrThrow()
}

export async function updateChatRow(
  tx: Tx,
  chatId: number,
  change: { name?: string; description?: string | null; public?: boolean; archived_at?: Date | null },
) {
  await tx.updateTable('chats').set(change).where('id', '=', chatId).execute()
}

/** The newest message of people and bots, if there is any. */
export function findLastMessage(db: Db, chatId: number) {
  return db
    .selectFrom('messages')
    .select('id')
    .where('chat_id', '=', chatId)
    .where('deleted_at', 'is', null)
    .where('system', '=', false)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
}

export function findMessageOf(db: Db, chatId: number, messageId: number) {
  return db
    .selectFrom('messages')
    .select('id')
    .where('chat_id', '=', chatId)
    .where('id', '=', messageId)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
}

/** Puts the pointer before this message, and never forward; a hidden chat is shown again. True where it moved. */
export async function moveReadBack(tx: Tx, chatId: number, userId: number, messageId: number) {
  const { rows } = await sql`
    update chat_members set read_message_id = least(read_message_id, ${messageId - 1}), hidden = false,
      read_number = least(read_number, message_number_at(chat_id, ${messageId - 1}))
    where chat_id = ${chatId} and user_id = ${userId} and (read_message_id >= ${messageId} or hidden)
    returning 1`.execute(tx)
  return rows.length > 0
}

/** Names to show in chats and in lines of the feed; of deleted people too. */
export async function listDisplayNames(db: Db, userIds: readonly number[]) {
  const rows = await read(
    db,
    sql<{ id: number; name: string }>`
    select id, coalesce(nullif(concat_ws(' ', nullif(first_name, ''), nullif(last_name, '')), ''), nickname) as name
    from users where id = any(${userIds})`,
  )
  return new Map(rows.map(({ id, name }) => [id, name]))
}

/** The name that a system message has for the person who acts. */
export async function findDisplayName(db: Db, { user_id }: Pick<Actor, 'user_id'>): Promise<string> {
  return (await listDisplayNames(db, [user_id])).get(user_id) ?? 'Somebody'
}
