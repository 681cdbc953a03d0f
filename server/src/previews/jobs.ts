import type { Context } from '../platform/context.js'
import type { JobHandlers } from '../platform/jobs/run.js'
import { makePreview } from './make.js'

export function previewJobs(ctx: Context): JobHandlers {
  return {
    'previews.make': {
      run: ({ payload }) => makePreview(ctx, payload.message_id as number),
      // A page that did not answer gives no preview; what is tried again is a fault of ours.
      retries_ms: [10_000],
    },
  }
}
