import type { JobPayload, mailInviteJob } from '@parley/contract'
import { readWorkspaceName } from '../company/queries.js'
import type { Context } from '../platform/context.js'
import { readLanguage } from '../users/language-queries.js'
import { findInvite } from './invite-queries.js'
import { inviteUrl } from './invites.js'

interface Letter {
  first_name: string | null
  workspace: string
  url: string
  until: string
}

const LETTERS = {
  en: ({ first_name, workspace, url, until }: Letter) => ({
    subject: `Your invitation to ${workspace}`,
    text: `Hello${first_name ? ` ${first_name}` : ''},

you are invited to the workspace ${workspace}. Choose a name and a password here:

${url}

The link works until ${until}.
`,
  }),
  ru: ({ first_name, workspace, url, until }: Letter) => ({
    subject: `Приглашение в ${workspace}`,
    text: `Здравствуйте${first_name ? `, ${first_name}` : ''}!

Вас пригласили в рабочее пространство «${workspace}». Выберите имя и пароль по ссылке:

${url}

Ссылка действует до ${until}.
`,
  }),
}

/** Sends the letter, unless the invitation was accepted or replaced in the meantime. */
export async function sendInvite(ctx: Context, payload: JobPayload<typeof mailInviteJob>): Promise<void> {
  const invite = await findInvite(ctx.db, payload.user_id)
  if (invite?.nonce !== payload.nonce) return
  // Nobody knows the language of a newcomer; who invites them writes to them in their own.
  const language = await readLanguage(ctx.db, payload.inviter_id ?? payload.user_id)
  const letter = LETTERS[language]({
    first_name: invite.first_name,
    workspace: await readWorkspaceName(ctx.db),
    url: inviteUrl(ctx, invite),
    until: invite.expires_at.toISOString().slice(0, 10),
  })
  await ctx.mail.send({ to: invite.email, ...letter })
}
