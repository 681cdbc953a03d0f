import { mailPasswordResetJob, type PasswordReset } from '@parley/contract'
import { readWorkspaceName } from '../company/queries.js'
import { deleteSessions } from '../oauth/queries.js'
import type { Context } from '../platform/context.js'
import { transaction } from '../platform/db/transaction.js'
import { enqueue } from '../platform/jobs/enqueue.js'
import { found } from '../platform/problem.js'
import { readLanguage } from '../users/language-queries.js'
import { lockUser, updateUser } from '../users/queries.js'
import { deleteReset } from './password-reset-queries.js'
import { makeReset, openReset, resetUrl } from './password-resets.js'
import { hasSecondFactor, secondFactorNeeded } from './prove.js'
import { type Caller, ensurePasswords, type OpenedSession, openSession } from './sessions.js'

const LETTERS = {
  en: (workspace: string, url: string) => ({
    subject: `New password for ${workspace}`,
    text: `Hello,

somebody asked for a new password for your account in ${workspace}. Set it here within one hour:

${url}

If it was not you, do nothing: your password stays as it is.
`,
  }),
  ru: (workspace: string, url: string) => ({
    subject: `Новый пароль для ${workspace}`,
    text: `Здравствуйте!

Кто-то запросил новый пароль для вашей учётной записи в «${workspace}». Задайте его по ссылке в течение часа:

${url}

Если это были не вы, ничего не делайте: ваш пароль останется прежним.
`,
  }),
}

/** Looks nobody up: the answer takes as long for an address that nobody has. */
export async function requestPasswordReset(ctx: Context, email: string): Promise<void> {
  await ensurePasswords(ctx)
  return transaction(ctx, (tx) => enqueue(tx, ctx, mailPasswordResetJob, { email: email.trim() }))
}

export async function mailReset(ctx: Context, email: string): Promise<void> {
  const reset = await transaction(ctx, (tx) => makeReset(tx, ctx, email))
  if (!reset) return
  const letter = LETTERS[await readLanguage(ctx.db, reset.user_id)]
  const workspace = await readWorkspaceName(ctx.db)
  await ctx.mail.send({ to: reset.email, ...letter(workspace, resetUrl(ctx, reset)) })
}

export async function showReset(ctx: Context, token: string): Promise<PasswordReset> {
  const { email, expires_at } = found(await openReset(ctx, ctx.db, token), { key: 'token' })
  return { email, expires_at: expires_at.toISOString() }
}

/** Sets the password, ends every session and opens one. The link works once. */
export async function resetPassword(
  ctx: Context,
  caller: Caller,
  token: string,
  password: string,
): Promise<OpenedSession> {
  await ensurePasswords(ctx)
  const { user_id } = found(await openReset(ctx, ctx.db, token), { key: 'token' })
  const password_hash = await ctx.passwords.hash(password)
  const opened = await transaction(ctx, async (tx) => {
    const user = found(await lockUser(tx, user_id), { key: 'token' })
    // Looked at again under the lock: the same link may be used twice at once.
    found(await openReset(ctx, tx, token), { key: 'token' })
    await updateUser(tx, user.id, { password_hash })
    await deleteReset(tx, user.id)
    await deleteSessions(tx, user.id, { but: null })
    // A link in a letter is no second factor: the new password is set, and signing in asks for the other proof.
    if (await hasSecondFactor(tx, user.id)) return undefined
    return openSession(tx, ctx, caller, user)
  })
  if (!opened) throw secondFactorNeeded()
  return opened
}
