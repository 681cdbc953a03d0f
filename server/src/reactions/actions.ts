import { type Reaction, reactionCreated, reactionDeleted } from '@parley/contract'
import { type ChatFor, findChatFor, holdRoster } from '../chats/queries.js'
import { mayRead } from '../chats/rules.js'
import { joinThread } from '../messages/join-thread.js'
import { findMessageFor, type MessageRow } from '../messages/queries.js'
import { deleteReaction, insertReaction } from '../messages/reaction-queries.js'
import type { Actor } from '../platform/actor.js'
import { record } from '../platform/audit/record.js'
import { now } from '../platform/clock.js'
import type { Context } from '../platform/context.js'
import type { Tx } from '../platform/db/index.js'
import { transaction } from '../platform/db/transaction.js'
import { emit } from '../platform/events/emit.js'
import { ensure, found, Problem, refuse } from '../platform/problem.js'
import { findThreadUnder } from '../threads/queries.js'
import type { Emoji } from './emoji.js'
import { presentReaction } from './present.js'
import { countReactions, findReaction, lockForReactions, type ReactionRow } from './queries.js'
import { brokenLimit } from './rules.js'

async function lockForReaction(tx: Tx, actor: Actor, id: number) {
  await lockForReactions(tx, id)
  const { message, chat } = found(await findMessageFor(tx, actor, id))
  ensure(mayRead(actor, chat), 'react', { type: 'Message', id })
  return { message, chat }
}

/** Adds an own reaction; one that is there already is given again. Reacting also brings one into the thread. */
export async function addReaction(
  ctx: Context,
  actor: Actor,
  messageId: number,
  code: string,
  emoji: Emoji,
): Promise<Reaction> {
  return transaction(ctx, async (tx) => {
    await holdRosterAround(tx, messageId)
    const { message, chat } = await lockForReaction(tx, actor, messageId)
    if (message.deleted_at) throw new Problem(404, 'message_deleted')
    if (message.system) ensure(refuse('message.system'), 'react', { type: 'Message', id: messageId })
    const known = await findReaction(tx, messageId, actor.user_id, emoji.key)
    if (known) return presentReaction(known)
    const limit = brokenLimit(await countReactions(tx, messageId, actor.user_id, emoji.key))
    if (limit) throw new Problem(422, limit.code, { key: 'code', value: code, message: limit.message })
    const row = await insertReaction(tx, {
      message_id: messageId,
      user_id: actor.user_id,
      emoji: emoji.key,
      code,
      name: emoji.name,
      created_at: now(ctx.clock),
    })
    await followThread(tx, ctx, actor, messageId)
    await tell(tx, ctx, actor, reactionCreated, row, message, chat)
    return presentReaction(row)
  })
}

/** Of the chat whose thread the reaction leads to: locks go from chats to messages. */
async function holdRosterAround(tx: Tx, messageId: number) {
  const thread = await findThreadUnder(tx, messageId)
  if (thread?.message_chat_id) await holdRoster(tx, thread.message_chat_id)
}

async function followThread(tx: Tx, ctx: Context, actor: Actor, messageId: number) {
  const thread = await findThreadUnder(tx, messageId)
  if (!thread?.message_chat_id) return
  // It may have been started a moment ago.
  await holdRoster(tx, thread.message_chat_id)
  // Read after the lock: somebody who was just removed from the chat does not come into its threads.
  const parent = await findChatFor(tx, actor, thread.message_chat_id)
  const chat = await findChatFor(tx, actor, thread.chat_id)
  if (chat && parent && mayRead(actor, parent).allowed)
    await joinThread(tx, ctx, actor, chat, [actor.user_id])
}

export async function removeReaction(ctx: Context, actor: Actor, messageId: number, key: string) {
  await transaction(ctx, async (tx) => {
    const { message, chat } = await lockForReaction(tx, actor, messageId)
    const row = found(await findReaction(tx, messageId, actor.user_id, key), {
      key: 'code',
      message: 'you have no such reaction on this message',
    })
    await deleteReaction(tx, row.id)
    await tell(tx, ctx, actor, reactionDeleted, row, message, chat)
  })
}

async function tell(
  tx: Tx,
  ctx: Context,
  actor: Actor,
  event: typeof reactionCreated | typeof reactionDeleted,
  row: ReactionRow,
  message: MessageRow,
  chat: ChatFor,
) {
  const payload = {
    chat_id: chat.id,
    root_chat_id: message.root_chat_id,
    message_id: row.message_id,
    code: row.code,
    name: row.name,
    user_id: row.user_id,
    created_at: row.created_at.toISOString(),
  }
  await emit(tx, ctx, actor, event, payload)
  await record(tx, ctx, actor, {
    event_key: event === reactionCreated ? 'reaction_created' : 'reaction_deleted',
    entity_type: 'Reaction',
    entity_id: row.id,
  })
}
