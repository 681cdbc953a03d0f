import { companyMembersConfirmed } from '@parley/contract'
import { deleteSessions } from '../oauth/queries.js'
import type { Actor } from '../platform/actor.js'
import { record } from '../platform/audit/record.js'
import type { Context } from '../platform/context.js'
import type { Tx } from '../platform/db/index.js'
import { transaction } from '../platform/db/transaction.js'
import { found, Problem } from '../platform/problem.js'
import { emitMembersEvent } from '../users/emit.js'
import { lockUser, updateUser } from '../users/queries.js'
import { deleteInvite } from './invite-queries.js'
import { deleteReset } from './password-reset-queries.js'
import { makeReset, resetUrl } from './password-resets.js'

/** Stores a password that was chosen for somebody; it ends every session, and confirms who was only invited. */
export async function giveHash(tx: Tx, ctx: Context, actor: Actor, userId: number, password_hash: string) {
  const user = found(await lockUser(tx, userId), { key: 'id', value: userId })
  if (user.bot)
    throw new Problem(422, 'invalid', { key: 'id', value: userId, message: 'a bot has no password' })
  const invited = user.invite_status === 'sent'
  await updateUser(tx, userId, { password_hash, ...(invited && { invite_status: 'confirmed' }) })
  await deleteReset(tx, userId)
  await deleteSessions(tx, userId, { but: null })
  if (invited) {
    await deleteInvite(tx, userId)
    await emitMembersEvent(tx, ctx, { user_id: userId }, companyMembersConfirmed, [userId])
  }
  const entity = { entity_type: 'User', entity_id: userId, details: { changed_attrs: ['password'] } }
  await record(tx, ctx, actor, { event_key: 'user_updated', ...entity })
}

export async function setPasswordOf(ctx: Context, actor: Actor, userId: number, password: string) {
  const hash = await ctx.passwords.hash(password)
  await transaction(ctx, (tx) => giveHash(tx, ctx, actor, userId, hash))
}

/** A link for an hour, by which a person chooses a new password; undefined where the account takes none now. */
export async function makeResetLink(ctx: Context, email: string): Promise<string | undefined> {
  const reset = await transaction(ctx, (tx) => makeReset(tx, ctx, email))
  return reset && resetUrl(ctx, reset)
}
