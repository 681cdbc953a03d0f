import { deleteMembers, lockMember } from '../chats/member-queries.js'
import { lockChatFor, lockCount } from '../chats/queries.js'
import { emitLeft } from '../chats/roster.js'
import { mayRead } from '../chats/rules.js'
import { joinThread } from '../messages/join-thread.js'
import type { Actor } from '../platform/actor.js'
import type { Context } from '../platform/context.js'
import { transaction } from '../platform/db/transaction.js'
import { ensure, found } from '../platform/problem.js'
import { findThread } from './queries.js'

/** Following a thread means being a member of it; a repeated call changes nothing. */
export function follow(ctx: Context, actor: Actor, threadId: number, following: boolean): Promise<void> {
  return transaction(ctx, async (tx) => {
    const thread = found(await findThread(tx, threadId), { key: 'id', value: threadId })
    const chat = found(await lockChatFor(tx, actor, thread.chat_id))
    ensure(mayRead(actor, chat), 'follow', { type: 'TopicThread', id: threadId })
    if (following) return joinThread(tx, ctx, actor, chat, [actor.user_id])
    await lockCount(tx, chat.id)
    if (!(await lockMember(tx, chat.id, actor.user_id))) return
    await deleteMembers(tx, chat.id, [actor.user_id])
    await emitLeft(tx, ctx, actor, chat, [actor.user_id])
  })
}
