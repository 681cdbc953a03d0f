import type { Context } from '../platform/context.js'
import type { JobHandlers } from '../platform/jobs/run.js'
import { HOUR_MS } from '../platform/time.js'
import { eraseUnused, sweepObjects } from './erase.js'

export function fileJobs(ctx: Context) {
  return {
    'files.erase': { run: ({ payload }) => eraseUnused(ctx, payload.keys) },
    'files.sweep': { every_ms: HOUR_MS, run: () => sweepObjects(ctx) },
  } satisfies Partial<JobHandlers>
}
