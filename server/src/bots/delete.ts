import { botDeleted, forgetBotJob } from '@parley/contract'
import { leaveForGood, lockPlacesOf } from '../members/leave-everything.js'
import { revokeGrants } from '../oauth/grants.js'
import { dropTokens } from '../oauth/queries.js'
import type { Actor } from '../platform/actor.js'
import { record } from '../platform/audit/record.js'
import { now } from '../platform/clock.js'
import type { Context } from '../platform/context.js'
import { transaction } from '../platform/db/transaction.js'
import { emit } from '../platform/events/emit.js'
import { enqueue } from '../platform/jobs/enqueue.js'
import { found } from '../platform/problem.js'
import { setUserTags } from '../tags/user-tags.js'
import { dropPerformer } from '../tasks/departed.js'
import { lockUser, updateUser } from '../users/queries.js'
import { auditOf } from './audit.js'
import { loadManaged } from './load.js'
import { deleteBotRow, listEditorIds } from './queries.js'
import type { BotReactions } from './reactions.js'

/** For good: tokens, grants, chats and webhooks go at once; its messages stay, signed by somebody who is gone. */
export function deleteBot(ctx: Context, actor: Actor, reactions: BotReactions, botId: number): Promise<void> {
  return transaction(ctx, async (tx) => {
    found(await lockUser(tx, botId), { key: 'id', value: botId })
    await loadManaged(tx, actor, botId, 'destroy')
    const user_ids = await listEditorIds(tx, botId)
    await dropTokens(tx, botId)
    await revokeGrants(tx, botId)
    await lockPlacesOf(tx, botId)
    await setUserTags(tx, ctx, actor, botId, [])
    await leaveForGood(tx, ctx, actor, botId)
    await dropPerformer(tx, ctx, actor, botId)
    await reactions.deleted(tx, botId)
    await deleteBotRow(tx, botId)
    await updateUser(tx, botId, { deleted_at: now(ctx.clock) })
    await enqueue(tx, ctx, forgetBotJob, { bot_id: botId })
    await record(tx, ctx, actor, auditOf(actor, botId, 'bot_deleted'))
    await emit(tx, ctx, actor, botDeleted, { bot_id: botId, user_ids })
  })
}
