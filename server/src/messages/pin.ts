import { messagePinned, messageUnpinned } from '@parley/contract'
import { sql } from 'kysely'
import { mayPin, mayRead } from '../chats/rules.js'
import type { Actor } from '../platform/actor.js'
import { now } from '../platform/clock.js'
import type { Context } from '../platform/context.js'
import type { Db } from '../platform/db/index.js'
import { transaction } from '../platform/db/transaction.js'
import { emit } from '../platform/events/emit.js'
import { type Paging, pageOf } from '../platform/http/page.js'
import { ensure, found, Problem } from '../platform/problem.js'
import { lockMessageFor } from './queries.js'

export async function pinMessage(ctx: Context, actor: Actor, id: number) {
  await transaction(ctx, async (tx) => {
    const { message, chat } = found(await lockMessageFor(tx, actor, id))
    ensure(mayRead(actor, chat), 'read', { type: 'Message', id })
    ensure(mayPin(actor, chat), 'pin', { type: 'Message', id })
    if (message.deleted_at) throw new Problem(422, 'message_deleted')
    if (message.system) throw new Problem(422, 'pin_failed')
    const pinned = await tx
      .insertInto('pins')
      .values({ message_id: id, chat_id: chat.id, user_id: actor.user_id, pinned_at: now(ctx.clock) })
      .onConflict((conflict) => conflict.doNothing())
      .returning('message_id')
      .executeTakeFirst()
    if (!pinned) throw new Problem(409, 'already_exists', { key: 'id', value: id })
    const payload = { message_id: id, chat_id: chat.id }
    await emit(tx, ctx, actor, messagePinned, payload)
  })
}

export async function unpinMessage(ctx: Context, actor: Actor, id: number) {
  await transaction(ctx, async (tx) => {
    const { chat } = found(await lockMessageFor(tx, actor, id))
    ensure(mayRead(actor, chat), 'read', { type: 'Message', id })
    ensure(mayPin(actor, chat), 'unpin', { type: 'Message', id })
    const gone = await tx
      .deleteFrom('pins')
      .where('message_id', '=', id)
      .returning('message_id')
      .executeTakeFirst()
    if (!gone) return
    const payload = { message_id: id, chat_id: chat.id }
    await emit(tx, ctx, actor, messageUnpinned, payload)
  })
}

/** The pins of a chat, latest first. */
export function listPinRows(db: Db, chatId: number, paging: Paging) {
  const query = db.selectFrom('pins').select(['message_id', 'pinned_at']).where('chat_id', '=', chatId)
  return pageOf(query, paging, { id: sql`message_id`, value: sql`pinned_at`, cast: 'timestamptz' }).execute()
}
