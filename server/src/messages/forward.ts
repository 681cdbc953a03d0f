import { type Message, messageCreated } from '@parley/contract'
import { advancePointer, touchChat } from '../chats/activity-queries.js'
import { mayRead } from '../chats/rules.js'
import { updateThreadActivity } from '../chats/thread-queries.js'
import { applyDlp } from '../dlp/apply.js'
import { copyFiles } from '../files/attach.js'
import { listFiles } from '../files/queries.js'
import type { Actor } from '../platform/actor.js'
import { record, recordMessage } from '../platform/audit/record.js'
import { now } from '../platform/clock.js'
import type { Context } from '../platform/context.js'
import { transaction } from '../platform/db/transaction.js'
import { emit } from '../platform/events/emit.js'
import { ensure, found, Problem } from '../platform/problem.js'
import { labelsOf } from './check-content.js'
import { messagePayload } from './events.js'
import { joinThread } from './join-thread.js'
import { presentMessages } from './message-sql.js'
import { findMessageFor, insertMessage } from './queries.js'
import { type Entity, openTarget, rootOf } from './target.js'

/** Sends a copy of a message with its files elsewhere, naming where it was first said. */
export async function forwardMessage(
  ctx: Context,
  actor: Actor,
  id: number,
  entity: Entity,
): Promise<Message> {
  return transaction(ctx, async (tx) => {
    const source = found(await findMessageFor(tx, actor, id))
    ensure(mayRead(actor, source.chat), 'read', { type: 'Message', id })
    if (source.message.deleted_at) throw new Problem(422, 'message_deleted')
    if (source.message.system)
      throw new Problem(422, 'wrong_params', {
        key: 'id',
        value: id,
        message: 'a system message is not forwarded',
      })
    const chat = await openTarget(tx, ctx, actor, entity)
    const files = source.message.has_files ? await listFiles(tx, { message_id: id }) : []
    const judged = await applyDlp(tx, ctx, actor, chat, source.message.content, labelsOf(actor, { files }))
    const { content, labels_blocked, records } = judged
    const created_at = now(ctx.clock)
    const message = await insertMessage(tx, {
      ...(await touchChat(tx, chat.id, created_at)),
      chat_id: chat.id,
      root_chat_id: rootOf(chat),
      user_id: actor.user_id,
      content,
      forwarding: JSON.stringify(source.message.forwarding ?? originOf(source)),
      has_files: source.message.has_files && !labels_blocked,
      created_at,
      changed_at: created_at,
    })
    if (!labels_blocked) await copyFiles(tx, ctx, { message_id: id }, { message_id: message.id })
    if (chat.kind === 'thread') {
      await updateThreadActivity(tx, chat.id, created_at)
      await joinThread(tx, ctx, actor, chat, [actor.user_id])
    }
    await advancePointer(tx, chat.id, actor.user_id, message.id)
    const payload = messagePayload(message, chat)
    await emit(tx, ctx, actor, messageCreated, payload)
    await recordMessage(tx, ctx, actor, message.id)
    await record(tx, ctx, actor, records(message.id))
    const [shown] = await presentMessages({ ...ctx, db: tx, tx }, actor.user_id, [message.id])
    return shown as Message
  })
}

function originOf({ message, chat }: NonNullable<Awaited<ReturnType<typeof findMessageFor>>>) {
  return {
    original_message_id: message.id,
    original_chat_id: message.chat_id,
    author_id: message.user_id,
    original_created_at: message.created_at.toISOString(),
    original_thread_id: chat.thread_id,
    original_thread_message_id: chat.thread_message_id,
    original_thread_parent_chat_id: chat.parent_chat_id,
  }
}
