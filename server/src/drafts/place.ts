import type { DraftEntityType } from '@parley/contract'
import { findPersonalChat } from '../chats/personal.js'
import { findChatFor } from '../chats/queries.js'
import { mayRead } from '../chats/rules.js'
import type { Actor } from '../platform/actor.js'
import type { Db } from '../platform/db/index.js'

async function findChatId(db: Db, actor: Actor, type: DraftEntityType, id: number) {
  if (type === 'discussion') return id
  if (type === 'user') return (await findPersonalChat(db, actor.user_id, id))?.id
  const thread = await db.selectFrom('threads').select('chat_id').where('id', '=', id).executeTakeFirst()
  return thread?.chat_id
}

/** The chat that a list of drafts is narrowed to; undefined where it is not there or is closed to the caller. */
export async function findPlace(db: Db, actor: Actor, type: DraftEntityType, id: number) {
  const chatId = await findChatId(db, actor, type, id)
  const chat = chatId === undefined ? undefined : await findChatFor(db, actor, chatId)
  return chat && mayRead(actor, chat).allowed ? chat.id : undefined
}
