import { LRUCache } from 'lru-cache'
import { personalKey } from '../chats/personal.js'
import { type Pool, rows } from '../platform/db/index.js'
import type { Entity } from './target.js'

/** What never changes about a chat, so that a process may keep it. */
export interface ChatFacts {
  id: number
  kind: 'conversation' | 'channel' | 'personal' | 'thread'
  /** As the database writes it, to the microsecond. */
  created_at: string
  root_chat_id: number
  personal_key: string | null
  thread_id: number | null
  thread_message_id: number | null
  thread_message_chat_id: number | null
}

export interface Facts {
  /** The chat a new message would go to; undefined where there is none, or none yet. */
  ofEntity(entity: Entity, userId: number): Promise<ChatFacts | undefined>
  /** The chat a message is in. */
  chatOfMessage(messageId: number): Promise<number | undefined>
  /** After a reset of the sandbox the same id is another chat; whoever finds out says so here. */
  forget(entity: Entity, userId: number): void
  forgetAll(): void
}

const KEPT = 50_000
const SELECT = `select c.id, c.kind, c.created_at::text, coalesce(t.message_chat_id, c.id) as root_chat_id, c.personal_key,
    t.id as thread_id, t.message_id as thread_message_id, t.message_chat_id as thread_message_chat_id
  from chats c left join threads t on t.chat_id = c.id where `
const WHERE = { discussion: 'c.id = $1', thread: 't.id = $1', user: 'c.personal_key = $1' } as const

function nameOf({ entity_type, entity_id }: Entity, userId: number): string | number {
  return entity_type === 'user' ? personalKey(userId, entity_id) : entity_id
}

/** Looks up chats once a process. A chat's kind, its thread and its two sides stay what they are. */
export function createFacts(pool: Pool): Facts {
  const chats = new LRUCache<string, ChatFacts>({ max: KEPT })
  const messages = new LRUCache<number, number>({ max: KEPT })
  return {
    async ofEntity(entity, userId) {
      const { entity_type } = entity
      const by = nameOf(entity, userId)
      const key = `${entity_type}:${by}`
      const known = chats.get(key)
      if (known) return known
      const [chat] = await rows<ChatFacts>(pool, SELECT + WHERE[entity_type], [by])
      if (chat) chats.set(key, chat)
      return chat
    },
    async chatOfMessage(messageId) {
      const known = messages.get(messageId)
      if (known) return known
      const [found] = await rows<{ chat_id: number }>(pool, 'select chat_id from messages where id = $1', [
        messageId,
      ])
      if (found) messages.set(messageId, found.chat_id)
      return found?.chat_id
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
