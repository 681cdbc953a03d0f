import { companyMembersDeleted } from '@parley/contract'
import { leaveForGood, lockPlacesOf } from '../members/leave-everything.js'
import { dropTokens } from '../oauth/queries.js'
import type { Actor } from '../platform/actor.js'
import { record } from '../platform/audit/record.js'
import { now } from '../platform/clock.js'
import type { Context } from '../platform/context.js'
import { transaction } from '../platform/db/transaction.js'
import { ensure, found } from '../platform/problem.js'
import { setUserTags } from '../tags/user-tags.js'
import { dropPerformer } from '../tasks/departed.js'
import { emitMembersEvent } from '../users/emit.js'
import { lockUser, updateUser } from '../users/queries.js'
import { mayDelete } from '../users/rules.js'
import { deleteInvite } from './invite-queries.js'

/** For good: chats, tags, tasks and tokens go; messages, files and personal chats stay. */
export function deleteUser(ctx: Context, actor: Actor, userId: number): Promise<void> {
  return transaction(ctx, async (tx) => {
    const user = found(await lockUser(tx, userId), { key: 'id', value: userId })
    ensure(mayDelete(actor, user), 'destroy', { type: 'User', id: user.id })
    await lockPlacesOf(tx, user.id)
    await setUserTags(tx, ctx, actor, user.id, [])
    await leaveForGood(tx, ctx, actor, user.id)
    await dropPerformer(tx, ctx, actor, user.id)
    await dropTokens(tx, user.id)
    await deleteInvite(tx, user.id)
    const deleted_at = now(ctx.clock)
    await updateUser(tx, user.id, { deleted_at })
    await record(tx, ctx, actor, { event_key: 'user_deleted', entity_type: 'User', entity_id: user.id })
    await emitMembersEvent(tx, ctx, actor, companyMembersDeleted, [user.id])
  })
}
