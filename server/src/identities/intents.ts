import { noteConfirmation } from '../accounts/confirm.js'
import { callerOf } from '../accounts/sessions.js'
import type { Actor } from '../platform/actor.js'
import { record } from '../platform/audit/record.js'
import { now } from '../platform/clock.js'
import type { Context } from '../platform/context.js'
import { transaction } from '../platform/db/transaction.js'
import { sessionCookieOf } from '../platform/http/session-cookie.js'
import { MINUTE_MS } from '../platform/time.js'
import { vouchedEmail } from './account.js'
import type { Returned, Visit } from './authorize.js'
import { findLinkedId, linkIdentity, lockSubject } from './identity-queries.js'
import { begunAt, type Pending } from './pending.js'
import { SignInRefusal } from './refusal.js'

/** How far the clock of a provider may be behind. */
const TOLERANCE_MS = MINUTE_MS

/** The person who began it, in the same session. */
async function holderOf({ ctx, request }: Visit, tokenId: number): Promise<Actor> {
  const { ip_address, user_agent } = callerOf(request)
  const cookie = sessionCookieOf(request)
  const admitted =
    cookie && (await ctx.admission.identify(cookie, ip_address as string, user_agent).catch(() => null))
  if (!admitted || admitted.actor.token_id !== tokenId) throw new SignInRefusal('expired')
  return admitted.actor
}

function link(ctx: Context, actor: Actor, { provider, stranger }: Returned): Promise<void> {
  const { subject } = stranger
  return transaction(ctx, async (tx) => {
    await lockSubject(tx, provider.id, subject)
    const known = await findLinkedId(tx, provider.id, subject)
    if (known === actor.user_id) return
    if (known !== undefined) throw new SignInRefusal('taken')
    if (provider.allowed_domains.length > 0) vouchedEmail(provider, stranger)
    const row = { provider_id: provider.id, subject, user_id: actor.user_id, created_at: now(ctx.clock) }
    if (!(await linkIdentity(tx, row))) throw new SignInRefusal('already_linked')
    await record(tx, ctx, actor, {
      event_key: 'user_identity_linked',
      entity_type: 'User',
      entity_id: actor.user_id,
      details: { provider: provider.slug, subject },
    })
  })
}

/** Somebody who only passes by a provider that knows them has shown nothing. */
async function confirm(
  ctx: Context,
  actor: Actor,
  pending: Pending,
  { provider, stranger, claims }: Returned,
) {
  if ((await findLinkedId(ctx.db, provider.id, stranger.subject)) !== actor.user_id)
    throw new SignInRefusal('not_you')
  const { auth_time } = claims
  if (typeof auth_time !== 'number' || auth_time * 1000 < begunAt(pending) - TOLERANCE_MS)
    throw new SignInRefusal('not_fresh')
  await transaction(ctx, (tx) => noteConfirmation(tx, ctx, actor.token_id as number))
}

/** Does what a person who is signed in already went to the provider for. */
export async function settleIntent(visit: Visit, pending: Pending, returned: Returned) {
  const { kind, token_id } = pending.intent as NonNullable<Pending['intent']>
  const actor = await holderOf(visit, token_id)
  if (kind === 'link') return link(visit.ctx, actor, returned)
  return confirm(visit.ctx, actor, pending, returned)
}
