import type { Selectable } from 'kysely'
import type { DB, Tx } from '../platform/db/index.js'
import { newRoom } from './meet.js'

/** A thread under a message, or under none, and the chat of its own that it lives in. */
export async function insertThread(
  tx: Tx,
  creator_id: number,
  parent: { id: number; chat_id: number } | null,
  now: Date,
): Promise<Selectable<DB['threads']>> {
  const chat = await tx
    .insertInto('chats')
    .values({
      kind: 'thread',
      name: '',
      owner_id: creator_id,
      meet_slug: newRoom('thread'),
      created_at: now,
      last_message_at: now,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  const thread = await tx
    .insertInto('threads')
    .values({
      chat_id: chat.id,
      message_id: parent?.id ?? null,
      message_chat_id: parent?.chat_id ?? null,
      creator_id,
      created_at: now,
      updated_at: now,
    })
    .returningAll()
    .executeTakeFirstOrThrow()
  await tx
    .updateTable('chats')
    .set({ name: `Thread ${thread.id}` })
    .where('id', '=', chat.id)
    .execute()
  return thread
}

export async function updateThreadActivity(tx: Tx, chatId: number, updated_at: Date) {
  await tx.updateTable('threads').set({ updated_at }).where('chat_id', '=', chatId).execute()
}
