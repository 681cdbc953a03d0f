import type { Context } from '../platform/context.js'
import type { JobHandlers } from '../platform/jobs/run.js'
import { DAY_MS, HOUR_MS } from '../platform/time.js'
import { dropAvatar } from './avatar.js'
import { dropNotices } from './notice-queries.js'

const NOTICES_KEPT_MS = 90 * DAY_MS

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
