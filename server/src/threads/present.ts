import type { Thread } from '@parley/contract'
import type { ThreadRow } from './queries.js'

export function presentThread({ id, chat_id, message_id, message_chat_id, updated_at }: ThreadRow): Thread {
  return { id, chat_id, message_id, message_chat_id, updated_at: updated_at.toISOString() }
}
