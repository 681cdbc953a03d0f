import { expandEvent } from '../messages/expand-event.js'
import type { CountConsequences } from '../platform/http/dry-run.js'
import { deliveriesOf } from '../webhooks/fan-out.js'
import { countCalled } from './queries.js'

/** Counts what the events of a write would cause: bodies for bots, and people who would be notified. */
export const countConsequences: CountConsequences = async (ctx, tx, stored) => {
  const events = stored.map(expandEvent)
  const messages = events.flatMap(({ type, payload }) =>
    type === 'message.created' ? [payload.message_id] : [],
  )
  const notices = events.filter(({ type }) => type === 'notice.created').length
  const deliveries = await deliveriesOf(tx, ctx, events)
  const called = messages.length > 0 ? await countCalled(tx, messages) : 0
  return { deliveries: deliveries.length, notices: notices + called }
}
