import type { Context } from '../platform/context.js'
import type { JobHandlers } from '../platform/jobs/run.js'
import { sweepMessages } from './sweep.js'

const HOUR_MS = 3_600_000

export function retentionJobs(ctx: Context) {
  return {
    'retention.sweep': { every_ms: HOUR_MS, run: () => sweepMessages(ctx) },
  } satisfies Partial<JobHandlers>
}
