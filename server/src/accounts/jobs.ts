import { dropOverSessions } from '../oauth/queries.js'
import { present } from '../platform/clock.js'
import type { Context } from '../platform/context.js'
import type { JobHandlers } from '../platform/jobs/run.js'
import { sendInvite } from './send-invite.js'

const HOUR_MS = 3_600_000

export function accountJobs(ctx: Context): JobHandlers {
  return {
    'users.mail_invite': {
      run: ({ payload }) => sendInvite(ctx, payload.user_id as number, payload.nonce as string),
    },
    'accounts.sweep_sessions': { every_ms: HOUR_MS, run: () => dropOverSessions(ctx.db, present(ctx.clock)) },
  }
}
