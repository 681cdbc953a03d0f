import { type Selectable, sql } from 'kysely'
import type { Actor } from '../platform/actor.js'
import type { DB, Db, Tx } from '../platform/db/index.js'

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

function chatFor(actor: Pick<Actor, 'user_id'>, chatId: number) {
  return sql<ChatFor>`
    select c.*, me.role as my_role, me.tag_ids as my_tag_ids, me.read_message_id as my_read_message_id,
      t.id as thread_id, t.message_id as thread_message_id, p.id as parent_chat_id, p.kind as parent_kind,
      p.public as parent_public, p.archived_at as parent_archived_at, mine.role as my_parent_role
    from chats c
    left join chat_members me on me.chat_id = c.id and me.user_id = ${actor.user_id}
    left join threads t on t.chat_id = c.id
    left join chats p on p.id = t.message_chat_id
    left join chat_members mine on mine.chat_id = p.id and mine.user_id = ${actor.user_id}
    where c.id = ${chatId}`
}

/** The chat, and what the actor is in it; undefined where there is no such chat. */
export async function findChatFor(db: Db, actor: Pick<Actor, 'user_id'>, chatId: number) {
  const { rows } = await chatFor(actor, chatId).execute(db)
  return rows[0]
}

/** The same with the chat's row held, so that nobody else changes the chat or its roster until the commit. */
export async function lockChatFor(tx: Tx, actor: Pick<Actor, 'user_id'>, chatId: number) {
  // Locked first and read after: what a rival committed while we waited is seen.
  await sql`select from chats where id = ${chatId} for no key update`.execute(tx)
  return findChatFor(tx, actor, chatId)
}
