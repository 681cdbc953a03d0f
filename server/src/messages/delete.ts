import { messageDeleted } from '@parley/contract'
import { bumpChat } from '../chats/activity-queries.js'
import { mayRead } from '../chats/rules.js'
import { dropFilesOf } from '../files/attach.js'
import type { Actor } from '../platform/actor.js'
import { record } from '../platform/audit/record.js'
import { now } from '../platform/clock.js'
import type { Context } from '../platform/context.js'
import { transaction } from '../platform/db/transaction.js'
import { emit } from '../platform/events/emit.js'
import { ensure, found } from '../platform/problem.js'
import { deleteMarks } from './erase-queries.js'
import { messagePayload } from './events.js'
import { withdrawEvents } from './kept-event-queries.js'
import { lockMessageFor, updateMessageRow } from './queries.js'
import { mayDelete } from './rules.js'

/** Empties a message for good: text, files, buttons, reactions and pin go; the row and the thread under it stay. */
export async function deleteMessage(ctx: Context, actor: Actor, id: number): Promise<void> {
  await transaction(ctx, async (tx) => {
    const { message, chat } = found(await lockMessageFor(tx, actor, id))
    ensure(mayRead(actor, chat), 'read', { type: 'Message', id })
    ensure(mayDelete(actor, chat, message), 'delete', { type: 'Message', id })
    if (message.deleted_at) return
    const row = await updateMessageRow(tx, id, {
      content: '',
      buttons: null,
      display_name: null,
      display_avatar_url: null,
      has_files: false,
      deleted_at: now(ctx.clock),
    })
    await dropFilesOf(tx, ctx, { message_id: id })
    await deleteMarks(tx, [id])
    await bumpChat(tx, chat.id)
    await withdrawEvents(tx, [id])
    await emit(tx, ctx, actor, messageDeleted, messagePayload(row, chat))
    await record(tx, ctx, actor, { event_key: 'message_deleted', entity_type: 'Message', entity_id: id })
  })
}
