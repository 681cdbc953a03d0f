import { readMoved } from '@parley/contract'
import { advanceAllPointers, advancePointer } from '../chats/activity-queries.js'
import type { Actor } from '../platform/actor.js'
import type { Context } from '../platform/context.js'
import type { Tx } from '../platform/db/index.js'
import { transaction } from '../platform/db/transaction.js'
import { emit, emitEach } from '../platform/events/emit.js'
import { found, Problem } from '../platform/problem.js'
import { findMessageIn, findNewestId, isMember } from './read-queries.js'

/** Moves the caller's pointer in a chat forward to a message of that chat, or to the newest; backwards it does not go. */
export async function markRead(ctx: Context, actor: Actor, chatId: number, given?: number) {
  await transaction(ctx, async (tx) => {
    if (!(await isMember(tx, chatId, actor.user_id)))
      throw new Problem(404, 'not_found', { key: 'id', value: chatId })
    const messageId = await findReadTo(tx, chatId, given)
    if (messageId === null) return
    if (!(await advancePointer(tx, chatId, actor.user_id, messageId))) return
    const payload = { chat_id: chatId, user_id: actor.user_id, message_id: messageId }
    await emit(tx, ctx, actor, readMoved, payload)
  })
}

/** The message that was named, or the newest of people and bots; null in an empty chat. */
async function findReadTo(tx: Tx, chatId: number, given: number | undefined): Promise<number | null> {
  if (given === undefined) return findNewestId(tx, chatId)
  return found(await findMessageIn(tx, chatId, given), { key: 'message_id', value: given }).id
}

/** Moves all pointers of the caller to the newest messages; each that moved emits its event. */
export async function markEverythingRead(ctx: Context, actor: Actor) {
  await transaction(ctx, async (tx) => {
    const moved = await advanceAllPointers(tx, actor.user_id)
    const payloads = moved.map(({ chat_id, message_id }) => ({ chat_id, user_id: actor.user_id, message_id }))
    await emitEach(tx, ctx, actor, readMoved, payloads)
  })
}
