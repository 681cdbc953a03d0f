import type { Context } from '../platform/context.js'
import type { Job } from '../platform/jobs/queries.js'
import type { JobHandlers } from '../platform/jobs/run.js'

export const RETRIES_MS = [1_000, 10_000, 60_000]

/** An order, and how often it was tried. */
export type ImportJob = Pick<Job<{ order_id: number }>, 'payload' | 'attempts'>

/** The readers of archives are loaded with the first order: most servers never get one. */
export async function runHere(ctx: Context, job: ImportJob) {
  const { runOrder } = await import('./carry-out.js')
  await runOrder(ctx, job)
}

export function importJobs(ctx: Context, run: (ctx: Context, job: ImportJob) => Promise<void>) {
  return {
    'imports.run': {
      retries_ms: RETRIES_MS,
      run: ({ payload, attempts }) => run(ctx, { payload, attempts }),
    },
  } satisfies Partial<JobHandlers>
}
