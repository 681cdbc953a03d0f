import { deleteMemberships } from '../chats/member-queries.js'
import { emitLeft } from '../chats/roster.js'
import type { Actor } from '../platform/actor.js'
import type { Context } from '../platform/context.js'
import type { Tx } from '../platform/db/index.js'

/** Takes a person out of every conversation, channel and thread; personal chats stay as they are. */
export async function leaveEverything(tx: Tx, ctx: Context, actor: Actor, userId: number) {
  for (const chat of await deleteMemberships(tx, userId)) await emitLeft(tx, ctx, actor, chat, [userId])
}
