import type { Context } from '../platform/context.js'
import type { JobHandlers } from '../platform/jobs/run.js'
import { dropAvatar } from './avatar.js'
import { sendInvite } from './send-invite.js'

export function userJobs(ctx: Context): JobHandlers {
  return {
    'users.mail_invite': {
      run: ({ payload }) => sendInvite(ctx, payload.user_id as number, payload.nonce as string),
    },
    'users.drop_avatar': { run: ({ payload }) => dropAvatar(ctx, payload.name as string) },
  }
}
