import type { Context } from '../platform/context.js'
import type { JobHandlers } from '../platform/jobs/run.js'
import { DAY_MS, HOUR_MS } from '../platform/time.js'
import { dropOverCodes } from './code-queries.js'
import { dropOverDeviceCodes } from './device-queries.js'
import { dropUsedRefreshTokens } from './refresh-queries.js'

/** After this a used refresh token is merely unknown. */
const REPLAY_KNOWN_MS = 90 * DAY_MS

/** Codes stay an hour past their end, so that a late client gets an expiry error. */
async function sweep(ctx: Context) {
  const before = new Date(ctx.clock.now() - HOUR_MS)
  await dropOverCodes(ctx.autocommit, before)
  await dropUsedRefreshTokens(ctx.autocommit, new Date(ctx.clock.now() - REPLAY_KNOWN_MS))
  await dropOverDeviceCodes(ctx.autocommit, before)
}

export function oauthJobs(ctx: Context) {
  return { 'oauth.sweep': { every_ms: HOUR_MS, run: () => sweep(ctx) } } satisfies Partial<JobHandlers>
}
