import { type Pool, rows } from '../platform/db/index.js'

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

const SELECT = `select c.id, c.kind, c.created_at::text, coalesce(t.message_chat_id, c.id) as root_chat_id, c.personal_key,
    t.id as thread_id, t.message_id as thread_message_id, t.message_chat_id as thread_message_chat_id
  from chats c left join threads t on t.chat_id = c.id where `
const WHERE = { discussion: 'c.id = $1', thread: 't.id = $1', user: 'c.personal_key = $1' } as const

/** By the id of the chat or thread, or by the pair of a personal chat. */
export async function findChatFacts(
  pool: Pool,
  by: keyof typeof WHERE,
  name: string | number,
): Promise<ChatFacts | undefined> {
  const [chat] = await rows<ChatFacts>(pool, SELECT + WHERE[by], [name])
  return chat
}

export async function findChatOfMessage(pool: Pool, messageId: number): Promise<number | undefined> {
  const [message] = await rows<{ chat_id: number }>(pool, 'select chat_id from messages where id = $1', [
    messageId,
  ])
  return message?.chat_id
}
