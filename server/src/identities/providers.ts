import { isDeepStrictEqual } from 'node:util'
import type { IdentityProvider, ProviderChange, ProviderInput } from '@parley/contract'
import { isOwnerLinked, lockWorkspace } from '../company/queries.js'
import { deleteToken } from '../oauth/queries.js'
import type { Actor } from '../platform/actor.js'
import { record } from '../platform/audit/record.js'
import { now } from '../platform/clock.js'
import type { Context } from '../platform/context.js'
import type { Tx } from '../platform/db/index.js'
import { transaction } from '../platform/db/transaction.js'
import { BLANK } from '../platform/http/fault-text.js'
import { found, Problem } from '../platform/problem.js'
import { seal } from '../platform/seal.js'
import { checkTagName } from '../tags/name.js'
import { issuerFault, secretPurpose } from './connect.js'
import { listProviderSessions } from './identity-queries.js'
import {
  deleteProvider,
  findProvider,
  insertProvider,
  listProviders,
  type ProviderRow,
  updateProvider,
} from './provider-queries.js'

export function addressesOf({ public_url }: Context['config'], slug: string) {
  const base = `${public_url}/sign-in/oidc/${slug}`
  return { redirect_uri: `${base}/callback`, logout_uri: `${base}/logout` }
}

function present(ctx: Context, row: ProviderRow & { people: number }): IdentityProvider {
  const { sealed_client_secret, changed_at: _, created_at, last_used_at, ...rest } = row
  return {
    ...rest,
    has_secret: sealed_client_secret !== null,
    ...addressesOf(ctx.config, row.slug),
    created_at: created_at.toISOString(),
    last_used_at: last_used_at?.toISOString() ?? null,
  }
}

export async function showProviders(ctx: Context): Promise<IdentityProvider[]> {
  return (await listProviders(ctx.db)).map((row) => present(ctx, row))
}

async function showProvider(ctx: Context, tx: Tx, id: number): Promise<IdentityProvider> {
  return present(ctx, found(await findProvider(tx, id), { key: 'id', value: id }))
}

const DOMAIN = /^[^\s@.]+(\.[^\s@.]+)+$/

function domainOf(given: string): string {
  const domain = given.trim().replace(/^@/, '').toLowerCase()
  if (DOMAIN.test(domain)) return domain
  const message = 'must be a domain, such as example.org'
  throw new Problem(422, 'invalid', { key: 'allowed_domains', value: given, message })
}

function nameOf(given: string): string {
  if (given.trim() === '') throw new Problem(422, 'blank', { key: 'name', value: given, message: BLANK })
  return given.trim()
}

/** The columns of what was given; the secret is sealed. */
async function columnsOf(ctx: Context, slug: string, input: ProviderChange) {
  const { client_secret, group_rules, issuer, ...plain } = input
  const fault = issuer === undefined ? undefined : await issuerFault(ctx, issuer.trim())
  if (fault) throw new Problem(422, 'invalid', { key: 'issuer', value: issuer, message: fault })
  const rules = group_rules?.map(({ group, role, tag }) => ({
    group: group.trim(),
    role,
    tag: tag?.trim() ? checkTagName(tag, 'group_rules') : null,
  }))
  return {
    ...plain,
    ...(issuer !== undefined && { issuer: issuer.trim() }),
    ...(input.name !== undefined && { name: nameOf(input.name) }),
    ...(input.allowed_domains && { allowed_domains: input.allowed_domains.map(domainOf) }),
    ...(rules && { group_rules: JSON.stringify(rules) }),
    ...(client_secret !== undefined && {
      sealed_client_secret: client_secret ? seal(ctx.secret, secretPurpose(slug), client_secret) : null,
    }),
  }
}

const about = (id: number) => ({ entity_type: 'IdentityProvider', entity_id: id })

export async function createProvider(ctx: Context, actor: Actor, input: ProviderInput) {
  const { slug, ...rest } = input
  const usual = { scopes: ['email', 'profile'], groups_claim: 'groups', group_rules: [], allowed_domains: [] }
  const flags = { create_accounts: true, trust_email: false, enabled: true, client_secret: null }
  const columns = await columnsOf(ctx, slug, { ...usual, ...flags, ...rest })
  return transaction(ctx, async (tx) => {
    const at = now(ctx.clock)
    const row = { ...columns, slug, created_at: at, changed_at: at }
    const id = await insertProvider(tx, row as Parameters<typeof insertProvider>[1])
    const details = { slug, issuer: input.issuer }
    await record(tx, ctx, actor, { event_key: 'identity_provider_created', ...about(id), details })
    return showProvider(ctx, tx, id)
  })
}

const LAST =
  'passwords are off and the owner signs in through this provider: turn passwords on first, or sign in through another'

/** While there are no passwords, the owner keeps a way in. */
async function ensureWayIn(tx: Tx) {
  const { password_sign_in } = await lockWorkspace(tx)
  if (password_sign_in === 'off' && !(await isOwnerLinked(tx)))
    throw new Problem(422, 'invalid', { key: 'enabled', message: LAST })
}

const valuesOf = (name: string, ...shown: [IdentityProvider, IdentityProvider]) =>
  shown.map((one) => one[name as keyof IdentityProvider]) as [unknown, unknown]

export async function changeProvider(ctx: Context, actor: Actor, id: number, input: ProviderChange) {
  const { slug } = found(await findProvider(ctx.db, id), { key: 'id', value: id })
  const columns = await columnsOf(ctx, slug, input)
  return transaction(ctx, async (tx) => {
    const before = await showProvider(ctx, tx, id)
    await updateProvider(tx, id, { ...columns, changed_at: now(ctx.clock) })
    if (input.enabled === false) await ensureWayIn(tx)
    const after = await showProvider(ctx, tx, id)
    const changed_attrs = Object.keys(input).filter(
      (name) => name === 'client_secret' || !isDeepStrictEqual(...valuesOf(name, before, after)),
    )
    const details = { slug, changed_attrs }
    if (changed_attrs.length > 0)
      await record(tx, ctx, actor, { event_key: 'identity_provider_updated', ...about(id), details })
    return after
  })
}

/** Ends what it opened; accounts stay. */
export function removeProvider(ctx: Context, actor: Actor, id: number): Promise<void> {
  return transaction(ctx, async (tx) => {
    const { slug } = found(await findProvider(tx, id), { key: 'id', value: id })
    const sessions = await listProviderSessions(tx, id)
    await deleteProvider(tx, id)
    await ensureWayIn(tx)
    for (const { token_id } of sessions) await deleteToken(tx, token_id)
    await record(tx, ctx, actor, { event_key: 'identity_provider_deleted', ...about(id), details: { slug } })
  })
}
