import { chatUpdated } from '@parley/contract'
import { asCaretaker } from '../chats/caretaker.js'
import { lockMember, updateMember } from '../chats/member-queries.js'
import { mayChangeRoles } from '../chats/member-rules.js'
import { lockChatFor } from '../chats/queries.js'
import type { Actor } from '../platform/actor.js'
import type { Context } from '../platform/context.js'
import { transaction } from '../platform/db/transaction.js'
import { emit } from '../platform/events/emit.js'
import { ensure, found, Problem } from '../platform/problem.js'

/** Gives a member another role in the chat; never oneself, never the creator, and not the same again. */
export function changeRole(ctx: Context, actor: Actor, chatId: number, userId: number, role: string) {
  return transaction(ctx, async (tx) => {
    const chat = found(await lockChatFor(tx, actor, chatId), { key: 'id', value: chatId })
    const may = mayChangeRoles(chat)
    const caring = chat.archived_at === null && role === 'admin'
    const verdict = caring ? await asCaretaker(tx, actor, chat, may) : may
    ensure(verdict, 'update_role', { type: 'Chat', id: chatId })
    const member = found(await lockMember(tx, chatId, userId), { key: 'user_id', value: userId })
    if (userId === actor.user_id) throw new Problem(422, 'self_update', { key: 'user_id', value: userId })
    if (member.role === 'owner') throw new Problem(422, 'owner_protected', { key: 'user_id', value: userId })
    if (role === 'editor' && chat.kind !== 'channel')
      throw new Problem(422, 'not_applicable', {
        key: 'role',
        value: role,
        message: 'only channels have editors',
      })
    if (member.role === role) throw new Problem(422, 'already_assigned', { key: 'role', value: role })
    await updateMember(tx, chatId, userId, { role })
    await emit(tx, ctx, actor, chatUpdated, { chat_id: chatId })
  })
}
