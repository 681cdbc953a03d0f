import { companyMembersConfirmed, type Role } from '@parley/contract'
import { editUser } from '../accounts/edit.js'
import { chosenNickname, insertInvited } from '../accounts/invite.js'
import { deleteInvite } from '../accounts/invite-queries.js'
import { ensureLicences } from '../accounts/licences.js'
import type { Caller } from '../accounts/sessions.js'
import { readWorkspace } from '../company/queries.js'
import { type Actor, actingFor } from '../platform/actor.js'
import { record } from '../platform/audit/record.js'
import { now } from '../platform/clock.js'
import type { Context } from '../platform/context.js'
import type { Tx } from '../platform/db/index.js'
import { found } from '../platform/problem.js'
import { emitMembersEvent } from '../users/emit.js'
import { cleanEmail } from '../users/names.js'
import { findAccount, listTagNames, lockUser, type UserRow, updateUser } from '../users/queries.js'
import { isLicensed } from '../users/rules.js'
import { roleByGroups, type Stranger, tagsByGroups } from './claims.js'
import { findLinkedId, linkIdentity, lockSubject } from './identity-queries.js'
import type { ProviderRow } from './provider-queries.js'
import { SignInRefusal } from './refusal.js'

interface Arrival {
  tx: Tx
  ctx: Context
  caller: Caller
  provider: ProviderRow
  stranger: Stranger
}

async function actorOf({ tx, caller }: Arrival, { id, role }: UserRow): Promise<Actor> {
  const { plan } = await readWorkspace(tx)
  return { ...actingFor(id, role as Role, plan as Actor['plan']), ...caller }
}

/** The mail by which a stranger becomes somebody here. */
export function vouchedEmail(
  provider: Pick<ProviderRow, 'allowed_domains'>,
  { email, email_verified }: Stranger,
): string {
  if (email === null) throw new SignInRefusal('no_email')
  if (!email_verified) throw new SignInRefusal('email_unverified')
  const domain = email.slice(email.lastIndexOf('@') + 1).toLowerCase()
  const { allowed_domains: allowed } = provider
  if (allowed.length > 0 && !allowed.includes(domain)) throw new SignInRefusal('domain')
  return cleanEmail(email)
}

/** A new account, confirmed from the start: the provider has done that. */
async function createPerson(arrival: Arrival, email: string): Promise<UserRow> {
  const { tx, ctx, stranger } = arrival
  const { first_name, last_name } = stranger
  const wanted = stranger.nickname && !/[\s@]/u.test(stranger.nickname) ? stranger.nickname : undefined
  const row = { email, first_name, last_name, role: 'user', created_at: now(ctx.clock) }
  const user = await insertInvited(tx, row, chosenNickname(undefined, wanted ? `${wanted}@` : email))
  if (isLicensed(user)) await ensureLicences(tx)
  const actor = await actorOf(arrival, user)
  await record(tx, ctx, actor, { event_key: 'user_created', entity_type: 'User', entity_id: user.id })
  await emitMembersEvent(tx, ctx, actor, companyMembersConfirmed, [user.id])
  return user
}

async function confirmInvited({ tx, ctx }: Arrival, user: UserRow): Promise<UserRow> {
  if (user.invite_status !== 'sent') return user
  await deleteInvite(tx, user.id)
  await emitMembersEvent(tx, ctx, { user_id: user.id }, companyMembersConfirmed, [user.id])
  return updateUser(tx, user.id, { invite_status: 'confirmed' })
}

/** Somebody who comes for the first time: the account with their mail, or a new one. */
async function link(arrival: Arrival): Promise<UserRow> {
  const { tx, ctx, provider, stranger } = arrival
  const email = vouchedEmail(provider, stranger)
  const account = await findAccount(tx, email)
  if (!account && !provider.create_accounts) throw new SignInRefusal('no_account')
  const user = account ? found(await lockUser(tx, account.id)) : await createPerson(arrival, email)
  const row = {
    provider_id: provider.id,
    subject: stranger.subject,
    user_id: user.id,
    created_at: now(ctx.clock),
  }
  // A mail that was given to somebody else later must not open the account of who had it before.
  if (!(await linkIdentity(tx, row))) throw new SignInRefusal('other_identity')
  await record(tx, ctx, await actorOf(arrival, user), {
    event_key: 'user_identity_linked',
    entity_type: 'User',
    entity_id: user.id,
    details: { provider: provider.slug, subject: stranger.subject },
  })
  return user
}

/** Role and tags by the groups; the owner keeps the role, and a guest of one chat everything. */
async function applyGroups(arrival: Arrival, user: UserRow): Promise<void> {
  const { tx, ctx, provider, stranger } = arrival
  const { group_rules: rules } = provider
  if (rules.length === 0 || stranger.groups === undefined || user.role === 'guest') return
  const role = user.role === 'owner' ? undefined : roleByGroups(rules, stranger.groups)
  const list_tags = tagsByGroups(rules, stranger.groups, await listTagNames(tx, user.id))
  const actor = await actorOf(arrival, user)
  await editUser({ ...ctx, tx, db: tx }, actor, user.id, { ...(role && { role }), list_tags })
}

/** The person who has come, as they are now. */
export async function welcome(arrival: Arrival): Promise<UserRow> {
  const { tx, provider, stranger } = arrival
  await lockSubject(tx, provider.id, stranger.subject)
  const known = await findLinkedId(tx, provider.id, stranger.subject)
  const user = known === undefined ? await link(arrival) : found(await lockUser(tx, known))
  if (user.suspended) throw new SignInRefusal('suspended')
  await applyGroups(arrival, await confirmInvited(arrival, user))
  return found(await lockUser(tx, user.id))
}
