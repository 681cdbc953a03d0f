import { companyMembersConfirmed, type Invite, type InviteLink } from '@parley/contract'
import { readWorkspaceName } from '../company/queries.js'
import type { Actor } from '../platform/actor.js'
import type { Context } from '../platform/context.js'
import { transaction } from '../platform/db/transaction.js'
import { BLANK } from '../platform/http/fault-text.js'
import { found, Problem } from '../platform/problem.js'
import { emitMembersEvent } from '../users/emit.js'
import { lockUser, updateUser } from '../users/queries.js'
import { deleteInvite, findInvite, type InviteRow } from './invite-queries.js'
import { inviteUrl, mailInvite, makeInvite, openInvite } from './invites.js'
import { type Caller, ensurePasswords, type OpenedSession, openSession } from './sessions.js'

export async function showInvite(ctx: Context, token: string): Promise<Invite> {
  const invite = found(await openInvite(ctx, ctx.db, token), { key: 'token' })
  const { email, first_name, last_name, expires_at } = invite
  return {
    email,
    first_name,
    last_name,
    workspace_name: await readWorkspaceName(ctx.db),
    expires_at: expires_at.toISOString(),
  }
}

interface Acceptance {
  first_name: string
  last_name?: string
  password: string
}

/** Sets name and password, and signs in. The link works once. */
export async function acceptInvite(
  ctx: Context,
  caller: Caller,
  token: string,
  input: Acceptance,
): Promise<OpenedSession> {
  await ensurePasswords(ctx)
  const first_name = input.first_name.trim()
  if (first_name === '')
    throw new Problem(422, 'blank', { key: 'first_name', value: input.first_name, message: BLANK })
  const { user_id } = found(await openInvite(ctx, ctx.db, token), { key: 'token' })
  const password_hash = await ctx.passwords.hash(input.password)
  return transaction(ctx, async (tx) => {
    const user = found(await lockUser(tx, user_id), { key: 'token' })
    // Looked at again under the lock: the same link may be accepted twice at once.
    found(await openInvite(ctx, tx, token), { key: 'token' })
    const last_name = input.last_name === undefined ? user.last_name : input.last_name.trim() || null
    const name = { first_name, last_name }
    await updateUser(tx, user.id, { ...name, password_hash, invite_status: 'confirmed' })
    await deleteInvite(tx, user.id)
    await emitMembersEvent(tx, ctx, { user_id: user.id }, companyMembersConfirmed, [user.id])
    return openSession(tx, ctx, caller, user)
  })
}

/** The link goes to the inviter only where no mail server could carry it. */
function presentLink(ctx: Context, invite: InviteRow): InviteLink {
  return {
    url: ctx.config.smtp_url ? null : inviteUrl(ctx, invite),
    expires_at: invite.expires_at.toISOString(),
    expired: invite.expires_at.getTime() <= ctx.clock.now(),
  }
}

export async function showInviteLink(ctx: Context, userId: number): Promise<InviteLink> {
  return presentLink(ctx, found(await findInvite(ctx.db, userId), { key: 'id', value: userId }))
}

export function resendInvite(
  ctx: Context,
  actor: Pick<Actor, 'user_id'>,
  userId: number,
): Promise<InviteLink> {
  return transaction(ctx, async (tx) => {
    const user = await lockUser(tx, userId)
    if (user?.invite_status !== 'sent') throw new Problem(404, 'not_found', { key: 'id', value: userId })
    const invite = await makeInvite(tx, ctx, user.id)
    await mailInvite(tx, ctx, invite, actor.user_id)
    return presentLink(ctx, invite)
  })
}
