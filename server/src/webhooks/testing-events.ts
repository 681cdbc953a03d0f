import { present } from '../platform/clock.js'
import type { Context } from '../platform/context.js'
import { transaction } from '../platform/db/transaction.js'
import { emit } from '../platform/events/emit.js'

let numbers = 1000

export interface Said {
  chat_id: number
  user_id: number
  content: string
  root_chat_id?: number
  thread?: { message_id: number | null; message_chat_id: number | null }
  personal?: boolean
  entity_id?: number
  link_preview?: boolean
}

/** The event that a message leaves behind; bots hear of nothing else. */
export async function say(ctx: Context, said: Said, type = 'message.created'): Promise<number> {
  numbers += 1
  const created_at = present(ctx.clock).toISOString()
  const payload = {
    message_id: numbers,
    root_chat_id: said.chat_id,
    thread_id: null,
    entity_type: said.thread ? 'thread' : 'discussion',
    entity_id: said.chat_id,
    created_at,
    changed_at: created_at,
    parent_message_id: null,
    thread: null,
    personal: false,
    link_preview: true,
    ...said,
  }
  await tell(ctx, said.user_id, type, said.chat_id, payload)
  return numbers
}

export function tell(ctx: Context, user_id: number, type: string, chat_id: number | null, payload: object) {
  return transaction(ctx, (tx) => emit(tx, ctx, { user_id }, { type, chat_id, payload }))
}
