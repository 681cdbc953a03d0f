import { mayAddMembers } from '../chats/member-rules.js'
import { findChatFor, lockChatFor } from '../chats/queries.js'
import { emitJoined } from '../chats/roster.js'
import { holdByHand, joinByHand } from '../chats/roster-queries.js'
import { isGroup } from '../chats/rules.js'
import type { Actor } from '../platform/actor.js'
import type { Context } from '../platform/context.js'
import type { Db, Tx } from '../platform/db/index.js'
import { Problem } from '../platform/problem.js'

/** Which of these chats the actor may add people to: not archived, and open or with the actor as a member. */
export async function listJoinableFor(db: Db, actor: Actor, chatIds: readonly number[]): Promise<number[]> {
  const joinable: number[] = []
  for (const id of chatIds) {
    const chat = await findChatFor(db, actor, id)
    if (chat && isGroup(chat) && mayAddMembers(actor, chat).allowed) joinable.push(id)
  }
  return joinable
}

/** Puts a new person into chats by hand. Tags are locked before chats, so they are given before this. */
export async function joinChats(
  tx: Tx,
  ctx: Context,
  actor: Actor,
  user: { id: number },
  chatIds: readonly number[],
) {
  for (const id of [...chatIds].sort((a, b) => a - b)) {
    const chat = await lockChatFor(tx, actor, id)
    if (!chat || !mayAddMembers(actor, chat).allowed)
      throw new Problem(422, 'not_found', {
        key: 'chat_ids',
        value: id,
        message: 'there is no such chat, or you may not add people to it',
      })
    await emitJoined(tx, ctx, actor, chat, await joinByHand(tx, ctx, chat, [user.id]))
    await holdByHand(tx, id, [user.id])
  }
}
