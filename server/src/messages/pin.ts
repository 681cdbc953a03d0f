import { messagePinned, messageUnpinned } from '@parley/contract'
import { mayPin, mayRead } from '../chats/rules.js'
import type { Actor } from '../platform/actor.js'
import { now } from '../platform/clock.js'
import type { Context } from '../platform/context.js'
import { transaction } from '../platform/db/transaction.js'
import { emit } from '../platform/events/emit.js'
import { ensure, found, Problem } from '../platform/problem.js'
import { deletePin, insertPin } from './pin-queries.js'
import { lockMessageFor } from './queries.js'

export async function pinMessage(ctx: Context, actor: Actor, id: number) {
  await transaction(ctx, async (tx) => {
    const { message, chat } = found(await lockMessageFor(tx, actor, id))
    ensure(mayRead(actor, chat), 'read', { type: 'Message', id })
    ensure(mayPin(actor, chat), 'pin', { type: 'Message', id })
    if (message.deleted_at) throw new Problem(422, 'message_deleted')
    if (message.system) throw new Problem(422, 'pin_failed', { message: 'a system message is not pinned' })
    const pin = { message_id: id, chat_id: chat.id, user_id: actor.user_id, pinned_at: now(ctx.clock) }
    if (!(await insertPin(tx, pin)))
      throw new Problem(409, 'already_exists', {
        key: 'id',
        value: id,
        message: 'the message is pinned already',
      })
    const payload = { message_id: id, chat_id: chat.id }
    await emit(tx, ctx, actor, messagePinned, payload)
  })
}

export async function unpinMessage(ctx: Context, actor: Actor, id: number) {
  await transaction(ctx, async (tx) => {
    const { chat } = found(await lockMessageFor(tx, actor, id))
    ensure(mayRead(actor, chat), 'read', { type: 'Message', id })
    ensure(mayPin(actor, chat), 'unpin', { type: 'Message', id })
    if (!(await deletePin(tx, id))) return
    const payload = { message_id: id, chat_id: chat.id }
    await emit(tx, ctx, actor, messageUnpinned, payload)
  })
}
