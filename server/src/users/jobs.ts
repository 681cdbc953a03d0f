import { dropOverSessions } from '../oauth/queries.js'
import { present } from '../platform/clock.js'
import type { Context } from '../platform/context.js'
import type { JobHandlers } from '../platform/jobs/run.js'
import { dropAvatar } from './avatar.js'
import { dropNotices } from './notices.js'
import { sendInvite } from './send-invite.js'

const HOUR_MS = 3_600_000
const NOTICES_KEPT_MS = 90 * 24 * HOUR_MS

/** Sessions that are over open nothing any more, and old notices nobody reads. */
async function sweep(ctx: Context) {
  await dropOverSessions(ctx.db, present(ctx.clock))
  await dropNotices(ctx.db, new Date(ctx.clock.now() - NOTICES_KEPT_MS))
}

export function userJobs(ctx: Context): JobHandlers {
  return {
    'users.mail_invite': {
      run: ({ payload }) => sendInvite(ctx, payload.user_id as number, payload.nonce as string),
    },
    'users.sweep': { every_ms: HOUR_MS, run: () => sweep(ctx) },
    'users.drop_avatar': { run: ({ payload }) => dropAvatar(ctx, payload.name as string) },
  }
}
