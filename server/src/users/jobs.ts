import type { Context } from '../platform/context.js'
import type { JobHandlers } from '../platform/jobs/run.js'
import { dropAvatar } from './avatar.js'
import { dropNotices } from './notice-queries.js'

const HOUR_MS = 3_600_000
const NOTICES_KEPT_MS = 90 * 24 * HOUR_MS

/** Nobody reads notices that old. */
async function sweep(ctx: Context) {
  await dropNotices(ctx.autocommit, new Date(ctx.clock.now() - NOTICES_KEPT_MS))
}

export function userJobs(ctx: Context) {
  return {
    'users.sweep': { every_ms: HOUR_MS, run: () => sweep(ctx) },
    'users.drop_avatar': { run: ({ payload }) => dropAvatar(ctx, payload.name) },
  } satisfies Partial<JobHandlers>
}
