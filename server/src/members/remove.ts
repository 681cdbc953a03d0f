import { deleteMembers, lockMember, updateMember } from '../chats/member-queries.js'
import { mayLeave, mayRemoveMembers } from '../chats/member-rules.js'
import { type ChatFor, listDisplayNames, lockChatFor, lockForLeaving } from '../chats/queries.js'
import { followOut } from '../chats/roster.js'
import { postSystemMessage, type SystemLine } from '../messages/system.js'
import type { Actor } from '../platform/actor.js'
import type { Context } from '../platform/context.js'
import type { Tx } from '../platform/db/index.js'
import { transaction } from '../platform/db/transaction.js'
import { ensure, found, Problem } from '../platform/problem.js'

/** Only a closed conversation says in its feed who went. */
function says(chat: ChatFor): boolean {
  return chat.kind === 'conversation' && !chat.public
}

async function writeLine(tx: Tx, ctx: Context, actor: Actor, chat: ChatFor, line: SystemLine) {
  if (says(chat)) await postSystemMessage(tx, ctx, actor, chat.id, line)
}

/** Takes a member out. Whom a bound tag holds stays, held by the tag alone. */
export function removeMember(ctx: Context, actor: Actor, chatId: number, userId: number): Promise<void> {
  return transaction(ctx, async (tx) => {
    const chat = found(await lockChatFor(tx, actor, chatId), { key: 'id', value: chatId })
    ensure(mayRemoveMembers(chat), 'remove_member', { type: 'Chat', id: chatId })
    await lockForLeaving(tx, chatId)
    const member = found(await lockMember(tx, chatId, userId), { key: 'user_id', value: userId })
    if (member.role === 'owner')
      throw new Problem(403, 'cannot_kick_owner', { key: 'user_id', value: userId })
    if (member.held) return updateMember(tx, chatId, userId, { manual: false })
    await deleteMembers(tx, chatId, [userId])
    await followOut(tx, ctx, actor, chat, [userId])
    const names = await listDisplayNames(tx, [actor.user_id, userId])
    const content = `${names.get(actor.user_id)} removed ${names.get(userId)}`
    await writeLine(tx, ctx, actor, chat, { content, kind: 'member_removed', user_ids: [userId] })
  })
}

/** Leaves a chat or thread, an archived one too; whom a bound tag holds cannot. */
export function leaveChat(ctx: Context, actor: Actor, chatId: number): Promise<void> {
  return transaction(ctx, async (tx) => {
    const chat = found(await lockChatFor(tx, actor, chatId), { key: 'id', value: chatId })
    await lockForLeaving(tx, chatId)
    const member = found(await lockMember(tx, chatId, actor.user_id), { key: 'id', value: chatId })
    if (chat.kind === 'personal')
      throw new Problem(422, 'personal_chat', {
        key: 'id',
        value: chatId,
        message: 'nobody leaves a personal chat',
      })
    ensure(mayLeave(actor, chat, member.held), 'leave', { type: 'Chat', id: chatId })
    await deleteMembers(tx, chatId, [actor.user_id])
    await followOut(tx, ctx, actor, chat, [actor.user_id])
    const names = await listDisplayNames(tx, [actor.user_id])
    const content = `${names.get(actor.user_id)} left the chat`
    await writeLine(tx, ctx, actor, chat, { content, kind: 'member_left', user_ids: [actor.user_id] })
  })
}
