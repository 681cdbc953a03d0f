import type { Context } from '../platform/context.js'
import type { JobHandlers } from '../platform/jobs/run.js'
import { moveMornings, remind } from './remind.js'

export function taskJobs(ctx: Context): JobHandlers {
  return {
    'tasks.remind': {
      run: ({ payload }) => remind(ctx, payload.task_id as number, new Date(payload.remind_at as string)),
    },
    'tasks.move_mornings': { run: ({ payload }) => moveMornings(ctx, Number(payload.after ?? 0)) },
  }
}
