import { extractLinks, makePreviewJob } from '@parley/contract'
import type { Context } from '../platform/context.js'
import type { EventReader } from '../platform/events/relay.js'
import { enqueue } from '../platform/jobs/enqueue.js'
import { removePreviews } from './actions.js'

/** Follows messages: a new one that asks for it gets a preview; an edit or a deletion takes it away for good. */
export function followMessages(ctx: Context): EventReader {
  return async (tx, events) => {
    for (const { type, payload } of events) {
      if (type === 'message.updated' || type === 'message.deleted')
        await removePreviews(tx, ctx, payload.message_id)
      if (type !== 'message.created' || !payload.link_preview) continue
      if (extractLinks(payload.content).length === 0) continue
      const { message_id } = payload
      await enqueue(tx, ctx, makePreviewJob, { message_id })
    }
  }
}
