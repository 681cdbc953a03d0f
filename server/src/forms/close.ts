import type { Actor } from '../platform/actor.js'
import type { Context } from '../platform/context.js'
import { transaction } from '../platform/db/transaction.js'
import { Problem } from '../platform/problem.js'
import { lockOpenView } from './queries.js'
import { closeForm } from './submit.js'

/** Closes a form without an answer; the bot is not notified. */
export async function closeView(ctx: Context, actor: Actor, viewId: string): Promise<void> {
  await transaction(ctx, async (tx) => {
    const view = await lockOpenView(tx, actor.user_id, viewId)
    if (!view) throw new Problem(404, 'view_not_found', { key: 'id', value: viewId })
    await closeForm(tx, ctx, actor, view)
  })
}
