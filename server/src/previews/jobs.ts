import type { Context } from '../platform/context.js'
import type { JobHandlers } from '../platform/jobs/run.js'
import { createPageReader, makePreview } from './make.js'

export function previewJobs(ctx: Context) {
  const pages = createPageReader()
  return {
    'previews.make': {
      run: ({ payload }) => makePreview(ctx, pages, payload.message_id),
      // A page that did not answer gives no preview; what is tried again is a fault of ours.
      retries_ms: [10_000],
    },
  } satisfies Partial<JobHandlers>
}
