import type { ViewSubmitResponseRequest } from '@parley/contract'
import type { Actor } from '../platform/actor.js'
import type { Context } from '../platform/context.js'
import { ringAfterCommit, transaction } from '../platform/db/transaction.js'
import { BLANK } from '../platform/http/fault-text.js'
import { Problem } from '../platform/problem.js'
import { findViewOfBot, lockQueuedSubmit, settleSubmit } from './queries.js'
import { isUuid } from './rules.js'
import { closeForm } from './submit.js'

/** The answer of a bot that polls: once and in time; wakes the waiting request in whichever process it is. */
export async function answerSubmit(
  ctx: Context,
  actor: Actor,
  viewId: string,
  { submit_id, errors = {} }: ViewSubmitResponseRequest,
): Promise<void> {
  if (submit_id === '')
    throw new Problem(422, 'blank', { key: 'submit_id', value: submit_id, message: BLANK })
  await transaction(ctx, async (tx) => {
    const view = await findViewOfBot(tx, actor.user_id, viewId)
    if (!view) throw new Problem(404, 'view_not_found', { key: 'view_id', value: viewId })
    const submit = isUuid(submit_id) ? await lockQueuedSubmit(tx, viewId, submit_id) : undefined
    const late = !submit || submit.deadline_at.getTime() < ctx.clock.now()
    if (late || submit.state !== 'waiting')
      throw new Problem(410, 'submit_expired', { key: 'submit_id', value: submit_id })
    const rejected = Object.keys(errors).length > 0
    await settleSubmit(tx, submit.id, rejected ? { state: 'rejected', errors } : { state: 'accepted' })
    if (!rejected) await closeForm(tx, ctx, actor, view)
    ringAfterCommit(tx, 'answers')
  })
}
