/** What was written down for bots follows the message: the log and the queue hold no text that it no longer has. */
import type { Tx } from '../platform/db/index.js'
import type { RelayedEvent } from '../platform/events/relay.js'
import { dropWithdrawn, replaceTexts, withdrawTexts } from './kept-text-queries.js'
import type { NewDelivery } from './queries.js'

/** Called with each batch of events before anything is written down for them. */
export async function followTexts(tx: Tx, events: readonly RelayedEvent[]) {
  const removed: number[] = []
  const changed = new Map<number, string>()
  for (const { type, payload } of events) {
    if (type === 'message.deleted') removed.push(payload.message_id)
    if (type === 'message.updated') changed.set(payload.message_id, payload.content)
  }
  if (changed.size > 0) await replaceTexts(tx, changed)
  if (removed.length > 0) await withdrawTexts(tx, removed)
}

/** Called with what goes into queues, before it does: each hears of a deletion once. */
export async function followDeletions(tx: Tx, queued: readonly NewDelivery[]) {
  const deletions = queued
    .filter(({ event_type }) => event_type === 'message_delete')
    .map(({ bot_id, payload }) => ({ bot_id, message_id: (JSON.parse(payload) as { id: number }).id }))
  if (deletions.length > 0) await dropWithdrawn(tx, deletions)
}
