import type { Context } from '../platform/context.js'
import type { JobHandlers } from '../platform/jobs/run.js'
import { HOUR_MS } from '../platform/time.js'
import { sweepMessages } from './sweep.js'

export function retentionJobs(ctx: Context) {
  return {
    'retention.sweep': { every_ms: HOUR_MS, run: () => sweepMessages(ctx) },
  } satisfies Partial<JobHandlers>
}
