import { deleteExpiredSessions } from '../oauth/queries.js'
import { now } from '../platform/clock.js'
import type { Context } from '../platform/context.js'
import type { JobHandlers } from '../platform/jobs/run.js'
import { HOUR_MS } from '../platform/time.js'
import { deleteExpiredResets } from './password-reset-queries.js'
import { mailReset } from './reset-password.js'
import { sendInvite } from './send-invite.js'

/** Sessions and links that are over open nothing any more. */
async function sweep(ctx: Context) {
  await deleteExpiredSessions(ctx.autocommit, now(ctx.clock))
  await deleteExpiredResets(ctx.autocommit, now(ctx.clock))
}

export function accountJobs(ctx: Context) {
  return {
    'users.mail_invite': {
      run: ({ payload }) => sendInvite(ctx, payload),
    },
    'accounts.mail_password_reset': { run: ({ payload }) => mailReset(ctx, payload.email) },
    'accounts.sweep_sessions': { every_ms: HOUR_MS, run: () => sweep(ctx) },
  } satisfies Partial<JobHandlers>
}
