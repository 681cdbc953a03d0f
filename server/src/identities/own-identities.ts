import type { OwnSignIn } from '@parley/contract'
import { confirmedUntil, ensureConfirmed } from '../accounts/confirm.js'
import { lockWorkspace, readWorkspace } from '../company/queries.js'
import { deleteToken } from '../oauth/queries.js'
import type { Actor } from '../platform/actor.js'
import { record } from '../platform/audit/record.js'
import type { Context } from '../platform/context.js'
import { transaction } from '../platform/db/transaction.js'
import { found, Problem } from '../platform/problem.js'
import { findUserFor, lockUser } from '../users/queries.js'
import { begin, type Visit } from './authorize.js'
import { deleteIdentity, listIdentitiesOf, listProviderSessions } from './identity-queries.js'
import { listOpenProviders } from './provider-queries.js'
import { SignInRefusal } from './refusal.js'

export async function showOwnSignIn(ctx: Context, actor: Actor): Promise<OwnSignIn> {
  const [{ password_sign_in }, user, linked, open, until] = await Promise.all([
    readWorkspace(ctx.db),
    findUserFor(ctx.db, actor, actor.user_id),
    listIdentitiesOf(ctx.db, actor.user_id),
    listOpenProviders(ctx.db),
    confirmedUntil(ctx, actor),
  ])
  return {
    password: password_sign_in === 'on' && found(user).password_hash !== null,
    confirmed_until: until?.toISOString() ?? null,
    identities: linked.map(({ subject: _, created_at, ...rest }) => ({
      ...rest,
      created_at: created_at.toISOString(),
    })),
    providers: open.filter(({ slug }) => !linked.some((one) => one.slug === slug)),
  }
}

/** Refusals before the browser leaves are answers of the API. */
async function leadThere(visit: Visit, to: string | undefined, kind: 'link' | 'confirm', actor: Actor) {
  const intent = { kind, token_id: actor.token_id as number }
  try {
    return { url: await begin(visit, { to, intent }) }
  } catch (error) {
    if (!(error instanceof SignInRefusal)) throw error
    const about = { key: 'slug', value: visit.slug }
    if (error.code === 'unknown_provider')
      throw new Problem(404, 'not_found', { ...about, message: 'no identity provider with this name is on' })
    throw new Problem(422, 'invalid', { ...about, message: 'the identity provider does not answer' })
  }
}

export async function beginLink(
  visit: Visit,
  actor: Actor,
  { to, password }: { to?: string; password?: string },
) {
  const { ctx, slug } = visit
  await ensureConfirmed(ctx, actor, password)
  const linked = await listIdentitiesOf(ctx.db, actor.user_id)
  if (linked.some((one) => one.slug === slug))
    throw new Problem(409, 'already_exists', { key: 'slug', value: slug, message: 'is linked already' })
  return leadThere(visit, to, 'link', actor)
}

export function beginConfirmation(visit: Visit, actor: Actor, to: string | undefined) {
  return leadThere(visit, to, 'confirm', actor)
}

const LAST = 'is your only way to sign in: set a password or link another provider first'

export async function unlinkIdentity(
  ctx: Context,
  actor: Actor,
  providerId: number,
  password: string | undefined,
): Promise<void> {
  await ensureConfirmed(ctx, actor, password)
  await transaction(ctx, async (tx) => {
    const { password_sign_in } = await lockWorkspace(tx)
    const user = found(await lockUser(tx, actor.user_id))
    const about = { key: 'provider_id', value: providerId }
    const { slug, subject } = found(await deleteIdentity(tx, actor.user_id, providerId), about)
    const others = await listIdentitiesOf(tx, actor.user_id)
    const hasPassword = password_sign_in === 'on' && user.password_hash !== null
    if (!hasPassword && !others.some(({ enabled }) => enabled))
      throw new Problem(422, 'invalid', { ...about, message: LAST })
    for (const { token_id, user_id } of await listProviderSessions(tx, providerId, { subject }))
      if (user_id === actor.user_id && token_id !== actor.token_id) await deleteToken(tx, token_id)
    await record(tx, ctx, actor, {
      event_key: 'user_identity_unlinked',
      entity_type: 'User',
      entity_id: actor.user_id,
      details: { provider: slug, subject },
    })
  })
}
