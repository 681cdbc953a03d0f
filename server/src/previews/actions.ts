import { eraseFilesJob, messagePreviewed } from '@parley/contract'
import { eraseLater } from '../files/erase.js'
import type { Actor } from '../platform/actor.js'
import { now } from '../platform/clock.js'
import type { Context } from '../platform/context.js'
import type { Tx } from '../platform/db/index.js'
import { emit } from '../platform/events/emit.js'
import { enqueue } from '../platform/jobs/enqueue.js'
import { deletePreviews, insertPreviews, type NewPreview } from './queries.js'

export type { NewPreview } from './queries.js'

/** Gives a message exactly these previews, in this order, and emits the event. */
export async function replacePreviews(
  tx: Tx,
  ctx: Context,
  actor: Pick<Actor, 'user_id'>,
  message: { id: number; chat_id: number },
  previews: readonly NewPreview[],
) {
  await removePreviews(tx, ctx, message.id)
  await insertPreviews(tx, message.id, previews)
  const payload = { message_id: message.id, chat_id: message.chat_id }
  await emit(tx, ctx, actor, messagePreviewed, payload)
}

/** Takes the previews off a message that is edited or deleted. */
export async function removePreviews(tx: Tx, ctx: Context, messageId: number) {
  const keys = await deletePreviews(tx, [messageId])
  if (keys.length === 0) return
  await eraseLater(tx, keys, now(ctx.clock))
  await enqueue(tx, ctx, eraseFilesJob, { keys })
}
