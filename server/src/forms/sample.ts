import { type BodyOf, type openSampleForm as sample, viewOpened } from '@parley/contract'
import { ulid } from 'ulid'
import { loadAsSender } from '../bots/samples.js'
import { openTarget } from '../messages/target.js'
import type { Actor } from '../platform/actor.js'
import { now } from '../platform/clock.js'
import type { Context } from '../platform/context.js'
import { transaction } from '../platform/db/transaction.js'
import { emit } from '../platform/events/emit.js'
import { checkForm } from './check-form.js'
import { insertView } from './queries.js'

/** Opens a form of the bot for the person who made it. It is answered like any other. */
export async function openSampleForm(
  ctx: Context,
  actor: Actor,
  botId: number,
  input: BodyOf<typeof sample>,
) {
  const bot = await loadAsSender(ctx, actor, botId, 'open_sample')
  const form = checkForm({ ...input, type: 'modal', trigger_id: 'sample' })
  const { callback_id = null, private_metadata = null } = input
  const { user_id } = actor
  await transaction(ctx, async (tx) => {
    const opened_at = now(ctx.clock)
    const id = ulid(opened_at.getTime())
    const chat = await openTarget(tx, ctx, bot, { entity_type: 'user', entity_id: user_id })
    const kept = { chat_id: chat.id, callback_id, private_metadata, form, opened_at }
    await insertView(tx, { id, bot_id: botId, user_id, ...kept })
    await emit(tx, ctx, bot, viewOpened, { view_id: id, user_id })
  })
}
