import { type ChatFor, lockChatFor } from '../chats/queries.js'
import { isGroup } from '../chats/rules.js'
import type { Actor } from '../platform/actor.js'
import type { Context } from '../platform/context.js'
import type { Tx } from '../platform/db/index.js'
import { writeJoined } from './add.js'
import { joinByHand, tellJoined } from './roster.js'
import { mayAddMembers } from './rules.js'

/** Those of these chats that the actor may add people to: conversations and channels alone. */
export async function lockJoinableFor(tx: Tx, actor: Actor, chatIds: readonly number[]): Promise<ChatFor[]> {
  const joinable: ChatFor[] = []
  for (const id of [...chatIds].sort((a, b) => a - b)) {
    const chat = await lockChatFor(tx, actor, id)
    if (chat && isGroup(chat) && mayAddMembers(actor, chat).allowed) joinable.push(chat)
  }
  return joinable
}

/** Puts a new person into chats by hand. */
export async function joinChats(
  tx: Tx,
  ctx: Context,
  actor: Actor,
  userId: number,
  chats: readonly ChatFor[],
) {
  for (const chat of chats) {
    const joined = await joinByHand(tx, ctx, chat, [userId])
    await tellJoined(tx, ctx, actor, chat, joined)
    await writeJoined(tx, ctx, actor, chat, joined)
  }
}
