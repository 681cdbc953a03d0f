import type { Context } from '../platform/context.js'
import type { JobHandlers } from '../platform/jobs/run.js'
import { DAY_MS, HOUR_MS } from '../platform/time.js'
import { deleteOldRefusals } from './queries.js'

const KEPT_MS = 7 * DAY_MS

export function refusalJobs({ autocommit, clock }: Context) {
  const forget = () => deleteOldRefusals(autocommit, new Date(clock.now() - KEPT_MS))
  return { 'refusals.sweep': { every_ms: HOUR_MS, run: forget } } satisfies Partial<JobHandlers>
}
