import { messageCreated } from '@parley/contract'
import { now } from '../platform/clock.js'
import type { Context } from '../platform/context.js'
import { transaction } from '../platform/db/transaction.js'
import { emit } from '../platform/events/emit.js'

let numbers = 1000

export interface Said {
  chat_id: number
  user_id: number
  content: string
}

/** The event that a message leaves behind; bots hear of nothing else. */
export async function say(ctx: Context, said: Said): Promise<number> {
  numbers += 1
  const created_at = now(ctx.clock).toISOString()
  const payload = {
    message_id: numbers,
    root_chat_id: said.chat_id,
    thread_id: null,
    entity_type: 'discussion' as const,
    entity_id: said.chat_id,
    created_at,
    changed_at: created_at,
    parent_message_id: null,
    thread: null,
    personal: false,
    link_preview: true,
    ...said,
  }
  await transaction(ctx, (tx) => emit(tx, ctx, { user_id: said.user_id }, messageCreated, payload))
  return numbers
}
