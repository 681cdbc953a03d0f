import { sql } from 'kysely'
import type { Actor } from '../platform/actor.js'
import { present } from '../platform/clock.js'
import type { Context } from '../platform/context.js'
import type { Tx } from '../platform/db/index.js'
import { emit } from '../platform/events/emit.js'

/**
 * Writes a line of the feed that tells what somebody did to the chat. It moves neither `last_message_at` nor unread
 * counters, and no bot hears of it; the people in the chat see it at once.
 */
export async function postSystemMessage(tx: Tx, ctx: Context, actor: Actor, chatId: number, content: string) {
  const created_at = present(ctx.clock)
  const { rows } = await sql<{ id: number }>`
    with chat as (update chats set version = version + 1 where id = ${chatId} returning id)
    insert into messages (chat_id, root_chat_id, user_id, content, system, created_at, changed_at)
    select id, id, ${actor.user_id}, ${content}, true, ${created_at}, ${created_at} from chat
    returning id`.execute(tx)
  const payload = { message_id: rows[0]?.id, chat_id: chatId }
  await emit(tx, ctx, actor, { type: 'message.system', chat_id: chatId, payload })
}
