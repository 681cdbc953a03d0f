import type { Context } from '../platform/context.js'
import type { JobHandlers } from '../platform/jobs/run.js'

export const RETRIES_MS = [1_000, 10_000, 60_000]

/** The readers of archives are loaded with the first order: most servers never get one. */
export function importJobs(ctx: Context) {
  return {
    'imports.run': {
      retries_ms: RETRIES_MS,
      run: async (job) => (await import('./carry-out.js')).runOrder(ctx, job),
    },
  } satisfies Partial<JobHandlers>
}
