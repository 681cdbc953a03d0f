import type { Context } from '../platform/context.js'
import type { JobHandlers } from '../platform/jobs/run.js'
import { transcribeMessage } from './transcribe.js'

export function messageJobs(ctx: Context) {
  return {
    'messages.transcribe': { run: ({ payload }) => transcribeMessage(ctx, payload.message_id) },
  } satisfies Partial<JobHandlers>
}
