/** A hot path: the chats that are asked for at once are read by one statement. */
import type { Actor } from '../platform/actor.js'
import type { Context } from '../platform/context.js'
import { microBatch } from '../platform/db/batch.js'
import { ensure, found } from '../platform/problem.js'
import { type AskedChat, findSeenChats, type SeenChat } from './chat-queries.js'
import { meetPattern } from './meet.js'
import { mayRead } from './rules.js'

export interface ChatReader {
  /** The chat as JSON; refuses those who may not read it. */
  read(actor: Actor, chatId: number): Promise<string>
}

export function createChatReader({ config, hot_pool }: Pick<Context, 'config' | 'hot_pool'>): ChatReader {
  const seen = microBatch<AskedChat, SeenChat | undefined>(
    (asked) => findSeenChats(hot_pool, meetPattern(config), asked),
    { max: 100, inFlight: 2 },
  )
  return {
    async read(actor, chat_id) {
      const chat = found(await seen({ chat_id, user_id: actor.user_id }), { key: 'id', value: chat_id })
      ensure(mayRead(actor, chat), 'show', { type: 'Chat', id: chat_id })
      return chat.json
    },
  }
}
