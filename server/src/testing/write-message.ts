import { now } from '../platform/clock.js'
import type { World } from './world.js'

/** A message as a row alone, for areas whose tests need one to be there. */
export async function writeMessage(
  { ctx }: Pick<World, 'ctx'>,
  message: { chat_id: number; root_chat_id?: number; user_id: number; content?: string; created_at?: Date },
): Promise<number> {
  const created_at = message.created_at ?? now(ctx.clock)
  const row = await ctx.db
    .insertInto('messages')
    .values({
      root_chat_id: message.chat_id,
      content: '',
      ...message,
      created_at,
      changed_at: created_at,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return row.id
}
