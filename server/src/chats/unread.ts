import { readMoved } from '@parley/contract'
import type { Actor } from '../platform/actor.js'
import type { Context } from '../platform/context.js'
import { transaction } from '../platform/db/transaction.js'
import { emit } from '../platform/events/emit.js'
import { found } from '../platform/problem.js'
import { findChatFor, findLastMessage, findMessageOf, moveReadBack } from './queries.js'

/** Makes a message and all later ones unread for the caller alone; without one, the last message. */
export function markUnread(ctx: Context, actor: Actor, chatId: number, messageId?: number): Promise<void> {
  return transaction(ctx, async (tx) => {
    const chat = await findChatFor(tx, actor, chatId)
    found(chat?.my_role, { key: 'id', value: chatId })
    const message =
      messageId === undefined
        ? await findLastMessage(tx, chatId)
        : found(await findMessageOf(tx, chatId, messageId), { key: 'message_id', value: messageId })
    if (!message || !(await moveReadBack(tx, chatId, actor.user_id, message.id))) return
    const payload = { chat_id: chatId, user_id: actor.user_id, message_id: message.id - 1 }
    await emit(tx, ctx, actor, readMoved, payload)
  })
}
