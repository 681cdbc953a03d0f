import { type OpenViewRequest, viewOpened } from '@parley/contract'
import { ulid } from 'ulid'
import type { Actor } from '../platform/actor.js'
import { now } from '../platform/clock.js'
import type { Context } from '../platform/context.js'
import { transaction } from '../platform/db/transaction.js'
import { emit } from '../platform/events/emit.js'
import { Problem } from '../platform/problem.js'
import { checkForm } from './check-form.js'
import { insertView, lockTrigger, updateTriggerUsed } from './queries.js'
import { hasExpired, isUuid } from './rules.js'

/** Shows a form to the person who pressed the button. A form with faults leaves the trigger usable. */
export async function openView(ctx: Context, actor: Actor, input: OpenViewRequest): Promise<void> {
  const form = checkForm(input)
  const { trigger_id, callback_id = null, private_metadata = null } = input
  await transaction(ctx, async (tx) => {
    const at = now(ctx.clock)
    const trigger = isUuid(trigger_id) ? await lockTrigger(tx, actor.user_id, trigger_id) : undefined
    const about = { key: 'trigger_id', value: trigger_id }
    if (!trigger || trigger.used_at) throw new Problem(410, 'trigger_not_found', about)
    if (hasExpired(trigger, at)) throw new Problem(410, 'trigger_expired', about)
    await updateTriggerUsed(tx, trigger.id, at)

    const { bot_id, user_id, chat_id } = trigger
    const id = ulid(at.getTime())
    await insertView(tx, {
      id,
      bot_id,
      user_id,
      chat_id,
      callback_id,
      private_metadata,
      form,
      opened_at: at,
    })
    await emit(tx, ctx, actor, viewOpened, { view_id: id, user_id })
  })
}
