import { personalKey } from '../chats/personal.js'
import type { Pool } from '../platform/db/index.js'
import { keepLast } from '../platform/keep-last.js'
import { type ChatFacts, findChatFacts, findChatOfMessage } from './chat-fact-queries.js'
import type { Entity } from './target.js'

export interface Facts {
  /** The chat a new message would go to; undefined where there is none, or none yet. */
  ofEntity(entity: Entity, userId: number): Promise<ChatFacts | undefined>
  /** The chat a message is in. */
  chatOfMessage(messageId: number): Promise<number | undefined>
  /** After a reset of the sandbox the same id is another chat; this drops the cached one. */
  forget(entity: Entity, userId: number): void
  forgetAll(): void
}

const KEPT = 50_000

function nameOf({ entity_type, entity_id }: Entity, userId: number): string | number {
  return entity_type === 'user' ? personalKey(userId, entity_id) : entity_id
}

/** Looks up chats once a process. A chat's kind, its thread and its two sides stay what they are. */
export function createFacts(pool: Pool): Facts {
  const chats = keepLast<string, ChatFacts>(KEPT)
  const messages = keepLast<number, number>(KEPT)
  return {
    async ofEntity(entity, userId) {
      const { entity_type } = entity
      const by = nameOf(entity, userId)
      const key = `${entity_type}:${by}`
      const known = chats.get(key)
      if (known) return known
      const chat = await findChatFacts(pool, entity_type, by)
      if (chat) chats.set(key, chat)
      return chat
    },
    async chatOfMessage(messageId) {
      const known = messages.get(messageId)
      if (known) return known
      const chatId = await findChatOfMessage(pool, messageId)
      if (chatId !== undefined) messages.set(messageId, chatId)
      return chatId
    },
    forget(entity, userId) {
      chats.delete(`${entity.entity_type}:${nameOf(entity, userId)}`)
    },
    forgetAll() {
      chats.clear()
      messages.clear()
    },
  }
}
