import { chatMembersAdded, chatMembersRemoved } from '@parley/contract'
import type { Actor } from '../platform/actor.js'
import { recordEach } from '../platform/audit/record-each.js'
import { now } from '../platform/clock.js'
import type { Context } from '../platform/context.js'
import type { Tx } from '../platform/db/index.js'
import { emit } from '../platform/events/emit.js'
import { deleteThreadMemberships } from './member-queries.js'

interface Concerned {
  id: number
  thread_id: number | null
  parent_chat_id: number | null
}

function about(ctx: Pick<Context, 'clock'>, chat: Concerned, user_ids: readonly number[]) {
  return {
    chat_id: chat.id,
    root_chat_id: chat.parent_chat_id ?? chat.id,
    thread_id: chat.thread_id,
    user_ids: [...user_ids],
    created_at: now(ctx.clock).toISOString(),
  }
}

interface Move {
  event: typeof chatMembersAdded | typeof chatMembersRemoved
  event_key: string
  details: object
}

/** Tells of everybody who came or left at once: one event for all, one record for each. */
async function tellOfMove(
  tx: Tx,
  ctx: Pick<Context, 'clock'>,
  actor: Actor,
  chat: Concerned,
  userIds: readonly number[],
  { event, event_key, details }: Move,
) {
  if (userIds.length === 0) return
  await recordEach(tx, ctx, actor, userIds, { event_key, entity_type: 'Chat', entity_id: chat.id, details })
  await emit(tx, ctx, actor, event, about(ctx, chat, userIds))
}

export function emitJoined(
  tx: Tx,
  ctx: Pick<Context, 'clock'>,
  actor: Actor,
  chat: Concerned,
  userIds: readonly number[],
) {
  const details = { inviter_id: actor.user_id }
  const move = { event: chatMembersAdded, event_key: 'user_chat_join', details }
  return tellOfMove(tx, ctx, actor, chat, userIds, move)
}

export function emitLeft(
  tx: Tx,
  ctx: Pick<Context, 'clock'>,
  actor: Actor,
  chat: Concerned,
  userIds: readonly number[],
) {
  const details = { initiator_id: actor.user_id }
  const move = { event: chatMembersRemoved, event_key: 'user_chat_leave', details }
  return tellOfMove(tx, ctx, actor, chat, userIds, move)
}

/** After people left a chat: they leave its threads too where they cannot read it any more, and an event is emitted for each. */
export async function followOut(
  tx: Tx,
  ctx: Pick<Context, 'clock'>,
  actor: Actor,
  chat: Concerned,
  userIds: readonly number[],
) {
  await emitLeft(tx, ctx, actor, chat, userIds)
  await leaveThreads(tx, ctx, actor, chat.id, userIds)
}

export async function leaveThreads(
  tx: Tx,
  ctx: Pick<Context, 'clock'>,
  actor: Actor,
  chatId: number,
  userIds: readonly number[],
) {
  if (userIds.length === 0) return
  for (const thread of await deleteThreadMemberships(tx, chatId, userIds))
    await emitLeft(tx, ctx, actor, thread, thread.user_ids)
}
