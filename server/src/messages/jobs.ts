import type { Context } from '../platform/context.js'
import type { JobHandlers } from '../platform/jobs/run.js'

export function messageJobs(_ctx: Context): JobHandlers {
  return {}
}
