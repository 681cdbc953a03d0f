import { messageSystem, type SystemEvent, type SystemEventKind } from '@parley/contract'
import { bumpChat } from '../chats/activity-queries.js'
import type { Actor } from '../platform/actor.js'
import { now } from '../platform/clock.js'
import type { Context } from '../platform/context.js'
import type { Tx } from '../platform/db/index.js'
import { emit } from '../platform/events/emit.js'
import { insertSystemMessage } from './queries.js'

/** The content of a system line: as text for people, and the same as data for clients. */
export interface SystemLine {
  content: string
  kind: SystemEventKind
  user_ids?: readonly number[]
  name?: string
}

const NAMED_AT_MOST = 10

function eventOf(actor: Actor, { kind, user_ids = [], name }: SystemLine): SystemEvent {
  return {
    kind,
    actor_id: actor.user_id,
    user_ids: user_ids.slice(0, NAMED_AT_MOST),
    users_count: user_ids.length,
    name: name ?? null,
  }
}

/**
 * Writes a system message about what somebody did to the chat. It moves neither `last_message_at` nor unread
 * counters, and no bot hears of it; the people in the chat see it at once.
 */
export async function postSystemMessage(
  tx: Tx,
  ctx: Context,
  actor: Actor,
  chatId: number,
  line: SystemLine,
) {
  if (!(await bumpChat(tx, chatId))) return
  const message_id = await insertSystemMessage(tx, {
    chat_id: chatId,
    user_id: actor.user_id,
    content: line.content,
    system_event: JSON.stringify(eventOf(actor, line)),
    created_at: now(ctx.clock),
  })
  await emit(tx, ctx, actor, messageSystem, { message_id, chat_id: chatId })
}
