import { readWorkspaceName } from '../company/queries.js'
import type { Context } from '../platform/context.js'
import { findInvite } from './invite-queries.js'
import { inviteUrl } from './invites.js'

/** Sends the letter, unless the invitation was accepted or replaced in the meantime. */
export async function sendInvite(ctx: Context, userId: number, nonce: string): Promise<void> {
  const invite = await findInvite(ctx.db, userId)
  if (invite?.nonce !== nonce) return
  const name = await readWorkspaceName(ctx.db)
  const until = invite.expires_at.toISOString().slice(0, 10)
  const text = [
    `Hello${invite.first_name ? ` ${invite.first_name}` : ''},`,
    '',
    `you are invited to the workspace ${name}. Choose a name and a password here:`,
    '',
    inviteUrl(ctx, invite),
    '',
    `The link works until ${until}.`,
    '',
  ].join('\n')
  await ctx.mail.send({ to: invite.email, subject: `Your invitation to ${name}`, text })
}
