import { type Insertable, type Selectable, sql, type Updateable } from 'kysely'
import { type ChatFor, findChatFor } from '../chats/queries.js'
import type { Actor } from '../platform/actor.js'
import type { DB, Db, Tx } from '../platform/db/index.js'

export type MessageRow = Selectable<DB['messages']>

export function findMessage(db: Db, id: number): Promise<MessageRow | undefined> {
  return db.selectFrom('messages').selectAll().where('id', '=', id).executeTakeFirst()
}

/** The message and its chat as the actor is in it; undefined where there is no such message. */
export async function findMessageFor(
  db: Db,
  actor: Pick<Actor, 'user_id'>,
  id: number,
): Promise<{ message: MessageRow; chat: ChatFor } | undefined> {
  const message = await findMessage(db, id)
  const chat = message && (await findChatFor(db, actor, message.chat_id))
  return chat ? { message, chat } : undefined
}

/** The same with the rows of chat and message held, in that order, until the commit. */
export async function lockMessageFor(
  tx: Tx,
  actor: Pick<Actor, 'user_id'>,
  id: number,
): Promise<{ message: MessageRow; chat: ChatFor } | undefined> {
  const place = await tx.selectFrom('messages').select('chat_id').where('id', '=', id).executeTakeFirst()
  if (!place) return undefined
  await sql`select from chats where id = ${place.chat_id} for no key update`.execute(tx)
  await sql`select from messages where id = ${id} for no key update`.execute(tx)
  return findMessageFor(tx, actor, id)
}

/** The chat and the message held, in that order, until the commit; undefined where the message is deleted or gone. */
export async function lockLiveMessage(
  tx: Tx,
  id: number,
): Promise<Pick<MessageRow, 'id' | 'chat_id' | 'user_id'> | undefined> {
  await sql`select from chats where id = (select chat_id from messages where id = ${id}) for no key update`.execute(
    tx,
  )
  return tx
    .selectFrom('messages')
    .select(['id', 'chat_id', 'user_id'])
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .forNoKeyUpdate()
    .executeTakeFirst()
}

export async function insertMessage(tx: Tx, message: Insertable<DB['messages']>): Promise<MessageRow> {
  return tx.insertInto('messages').values(message).returningAll().executeTakeFirstOrThrow()
}

/** Whether the actor is a member of the thread that hangs under the message. */
export async function isInThreadUnder(
  db: Db,
  actor: Pick<Actor, 'user_id'>,
  messageId: number,
): Promise<boolean> {
  const member = await db
    .selectFrom('threads')
    .innerJoin('chat_members', 'chat_members.chat_id', 'threads.chat_id')
    .select('threads.id')
    .where('threads.message_id', '=', messageId)
    .where('chat_members.user_id', '=', actor.user_id)
    .executeTakeFirst()
  return member !== undefined
}

export function updateMessageRow(
  tx: Tx,
  id: number,
  change: Updateable<DB['messages']>,
): Promise<MessageRow> {
  return tx.updateTable('messages').set(change).where('id', '=', id).returningAll().executeTakeFirstOrThrow()
}

export async function hasVoice(db: Db, messageId: number): Promise<boolean> {
  const file = await db
    .selectFrom('files')
    .select('id')
    .where('message_id', '=', messageId)
    .where('file_type', '=', 'voice')
    .executeTakeFirst()
  return file !== undefined
}

/** Adds a line of the feed, which has no number and counts for nothing. */
export async function insertSystemMessage(
  tx: Tx,
  line: Pick<Insertable<DB['messages']>, 'chat_id' | 'user_id' | 'content' | 'system_event'> & {
    created_at: Date
  },
): Promise<number> {
  const { chat_id, created_at } = line
  const { id } = await tx
    .insertInto('messages')
    .values({ ...line, root_chat_id: chat_id, system: true, changed_at: created_at })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}
