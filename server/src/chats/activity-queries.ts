import { sql } from 'kysely'
import type { Tx } from '../platform/db/index.js'
import { only } from '../platform/db/only-sql.js'

/** Locks chats in the order of their ids, before anything in them is touched. */
export async function lockChats(tx: Tx, ids: readonly number[]) {
  await sql`select from chats where id = any(${ids}) order by id for no key update`.execute(tx)
}

/** Holds the chat's row and takes the next message id and number after it, so that both follow its commits. */
export async function touchChat(tx: Tx, chatId: number, now: Date): Promise<{ id: number; number: number }> {
  await sql`select from chats where id = ${chatId} for no key update`.execute(tx)
  const { rows } = await sql<{ id: number; number: number }>`
    with next as materialized (select nextval('messages_id_seq') as id)
    update chats set last_message_id = next.id, last_message_at = ${now}, version = version + 1,
      appends = appends + 1, messages_count = messages_count + 1
    from next where chats.id = ${chatId} returning next.id, messages_count as number`.execute(tx)
  return rows[0] as { id: number; number: number }
}

/** Makes cached pages of the chat stale: something that they show has changed. False where there is no such chat. */
export async function bumpChat(tx: Tx, chatId: number): Promise<boolean> {
  const { numAffectedRows } = await sql`update chats set version = version + 1 where id = ${chatId}`.execute(
    tx,
  )
  return numAffectedRows === 1n
}

/** The same of several chats, which are locked. */
export async function bumpChats(tx: Tx, ids: readonly number[]) {
  await sql`update chats set version = version + 1 where id = any(${ids})`.execute(tx)
}

/** Unread counters no longer count messages up to these numbers, which were removed. */
export async function updateRemovedCounts(tx: Tx, removed: readonly { chat_id: number; number: number }[]) {
  await sql`
    update chats c set removed_count = greatest(c.removed_count, x.number)
    from unnest(${removed.map(({ chat_id }) => chat_id)}::bigint[], ${removed.map(({ number }) => number)}::bigint[])
      as x (chat_id, number) where c.id = x.chat_id`.execute(tx)
}

/** Chats show what is left: their last message is one of people or bots that is there, and cached pages are read again. */
export async function refreshChats(tx: Tx, ids: readonly number[]) {
  await sql`
    update chats c set version = version + 1, last_message_id = (
      select m.id from messages m where ${only(['m.chat_id', sql`c.id`])} and m.deleted_at is null
        and not m.system
      order by m.chat_id desc, m.id desc limit 1)
    where c.id = any(${ids})`.execute(tx)
}

/** Moves a read pointer forward; whether it moved. */
export async function advancePointer(
  tx: Tx,
  chatId: number,
  userId: number,
  messageId: number,
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('chat_members')
    .set({ read_message_id: messageId, read_number: sql`message_number_at(chat_id, ${messageId})` })
    .where('chat_id', '=', chatId)
    .where('user_id', '=', userId)
    .where('read_message_id', '<', messageId)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Moves all read pointers of a person to the newest messages; gives those that moved. */
export async function advanceAllPointers(
  tx: Tx,
  userId: number,
): Promise<{ chat_id: number; message_id: number }[]> {
  const { rows } = await sql<{ chat_id: number; message_id: number }>`
    update chat_members m set read_message_id = c.last_message_id, read_number = c.messages_count
    from chats c where m.user_id = ${userId} and c.id = m.chat_id and c.last_message_id > m.read_message_id
    returning m.chat_id, m.read_message_id as message_id`.execute(tx)
  return rows
}
