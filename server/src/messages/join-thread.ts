import { insertMembers, type MessagePlace } from '../chats/member-queries.js'
import { type ChatFor, lockCount } from '../chats/queries.js'
import { emitJoined } from '../chats/roster.js'
import type { Actor } from '../platform/actor.js'
import { now } from '../platform/clock.js'
import type { Context } from '../platform/context.js'
import type { Tx } from '../platform/db/index.js'
import { listAdmissible } from './thread-queries.js'

export type ThreadChat = Pick<ChatFor, 'id' | 'thread_id' | 'parent_chat_id' | 'owner_id'>

/**
 * Makes people members of a thread; existing members stay as they are; events name only new ones. Its creator who comes back is
 * its creator again. Newcomers have read what was there before them: everything, or what was before the message that calls them.
 */
export async function joinThread(
  tx: Tx,
  ctx: Context,
  actor: Actor,
  chat: ThreadChat,
  userIds: readonly number[],
  unread_from?: MessagePlace,
) {
  if (userIds.length === 0) return
  const ids = await listAdmissible(tx, chat, userIds)
  if (ids.length === 0) return
  await lockCount(tx, chat.id)
  const role = (userId: number) => (userId === chat.owner_id ? 'owner' : 'member')
  const added = await insertMembers(tx, chat.id, ids, {
    role,
    joined_at: now(ctx.clock),
    ...(unread_from ? { unread_from } : {}),
  })
  await emitJoined(tx, ctx, actor, chat, added)
}
