import type { Context } from '../platform/context.js'
import type { JobHandlers } from '../platform/jobs/run.js'
import { DAY_MS, HOUR_MS } from '../platform/time.js'
import { deleteOldViews } from './queries.js'
import { VIEW_MS } from './rules.js'

/** Beyond its day a form stays this long, so that a late submission is refused with the reason. */
const EXPIRED_KEPT_MS = DAY_MS

export function formJobs(ctx: Context) {
  const ago = (ms: number) => new Date(ctx.clock.now() - ms)
  return {
    'forms.sweep': {
      every_ms: HOUR_MS,
      // Triggers stay as long as an Idempotency-Key does.
      run: () =>
        deleteOldViews(ctx.autocommit, { triggers: ago(VIEW_MS), views: ago(VIEW_MS + EXPIRED_KEPT_MS) }),
    },
  } satisfies Partial<JobHandlers>
}
