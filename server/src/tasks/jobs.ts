import type { Context } from '../platform/context.js'
import type { JobHandlers } from '../platform/jobs/run.js'
import { moveMornings, remind } from './remind.js'

export function taskJobs(ctx: Context) {
  return {
    'tasks.remind': {
      run: ({ payload }) => remind(ctx, payload.task_id, new Date(payload.remind_at)),
    },
    'tasks.move_mornings': { run: ({ payload }) => moveMornings(ctx, payload.after ?? 0) },
  } satisfies Partial<JobHandlers>
}
