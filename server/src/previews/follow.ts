import { extractLinks } from '@parley/contract'
import type { Context } from '../platform/context.js'
import type { EventReader } from '../platform/events/relay.js'
import { enqueue } from '../platform/jobs/enqueue.js'
import { removePreviews } from './actions.js'

/** Follows messages: a new one that asks for it gets a preview; an edit or a deletion takes it away for good. */
export function followMessages(ctx: Context): EventReader {
  return async (tx, events) => {
    for (const { type, payload } of events) {
      const message_id = payload.message_id as number
      if (type === 'message.updated' || type === 'message.deleted') await removePreviews(tx, ctx, message_id)
      if (type !== 'message.created' || payload.link_preview !== true) continue
      if (extractLinks(String(payload.content ?? '')).length === 0) continue
      await enqueue(tx, ctx, { kind: 'previews.make', payload: { message_id } })
    }
  }
}
