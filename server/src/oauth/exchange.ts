import type { TokenGrant } from '@parley/contract'
import type { Resource } from '../platform/actor.js'
import { now } from '../platform/clock.js'
import type { Context } from '../platform/context.js'
import type { Tx } from '../platform/db/index.js'
import { transaction } from '../platform/db/transaction.js'
import { OAuthProblem } from '../platform/problem.js'
import type { BotClient } from './client-queries.js'
import { authenticateClient, CLI_CLIENT_ID, type Credentials, isCli } from './clients.js'
import { markCodeUsed } from './code-queries.js'
import { useCode } from './codes.js'
import { pollDevice } from './devices.js'
import { openGrant, renewGrant } from './grants.js'
import { isActive, type TokenRow } from './queries.js'
import { type Form, required } from './read-form.js'
import { accessExpiry, issueRefreshToken, LIFETIME_S, renewToken, useRefreshToken } from './refresh.js'
import { resourceAt } from './resources.js'
import { endReplayed } from './revoke.js'
import { issueToken } from './tokens.js'

const DEVICE_GRANT = 'urn:ietf:params:oauth:grant-type:device_code'

const invalidGrant = (description: string) => new OAuthProblem(400, 'invalid_grant', description)

/** The answer with a token in it, and what renews it. */
async function answer(tx: Tx, ctx: Context, token: TokenRow & { value: string }): Promise<TokenGrant> {
  if (!(await isActive(tx, token.user_id))) throw invalidGrant('The employee has no access')
  return {
    access_token: token.value,
    token_type: 'Bearer',
    refresh_token: await issueRefreshToken(tx, ctx, token.id),
    expires_in: LIFETIME_S,
    scope: token.scopes.join(' '),
    created_at: Math.floor(now(ctx.clock).getTime() / 1000),
  }
}

/** A code or refresh token that was used before, and the token that the first use led to. */
interface Replay {
  replayed: number
  client_id: string
}

/** A replayed code or refresh token may be stolen, so the token issued from it is revoked (RFC 9700). */
async function endingReplays(
  ctx: Context,
  work: (tx: Tx) => Promise<TokenGrant | Replay>,
): Promise<TokenGrant> {
  const outcome = await transaction(ctx, async (tx) => {
    const made = await work(tx)
    if ('replayed' in made) await endReplayed(tx, ctx, made.replayed, made.client_id)
    return made
  })
  if ('replayed' in outcome) throw invalidGrant('It was used before, so everything that came of it has ended')
  return outcome
}

/** What the form asks the token for (RFC 8707). */
function targetOf({ config }: Context, form: Form): Resource | null {
  const address = form.get('resource')
  if (!address) return null
  const resource = resourceAt(config, address)
  if (!resource) throw new OAuthProblem(400, 'invalid_target', 'The resource is not one of this server')
  return resource
}

async function fromCode(ctx: Context, client: BotClient, form: Form): Promise<TokenGrant> {
  const proof = {
    code: required(form, 'code'),
    redirect_uri: required(form, 'redirect_uri'),
    code_verifier: form.get('code_verifier'),
    resource: targetOf(ctx, form),
  }
  return endingReplays(ctx, async (tx) => {
    const row = await useCode(tx, ctx, client, proof)
    const { bot_id, user_id, scopes } = row
    if (row.token_id !== null) return { replayed: row.token_id, client_id: client.client_id }
    const resource = (row.resource as Resource | null) ?? proof.resource
    const token = await openGrant(tx, ctx, { bot_id, user_id, scopes, resource, bot_name: client.bot_name })
    await markCodeUsed(tx, row.hash, token.id)
    return answer(tx, ctx, token)
  })
}

async function fromDevice(ctx: Context, form: Form): Promise<TokenGrant> {
  const deviceCode = required(form, 'device_code')
  const outcome = await transaction(ctx, async (tx) => {
    const poll = await pollDevice(tx, ctx, deviceCode)
    if ('refusal' in poll) return poll
    const { user_id, scopes, device_name: name } = poll.device
    const token = { user_id, kind: 'cli', scopes, name, expires_at: accessExpiry(ctx) } as const
    return { grant: await answer(tx, ctx, await issueToken(tx, ctx, token)) }
  })
  if ('refusal' in outcome) throw outcome.refusal
  return outcome.grant
}

async function fromRefresh(ctx: Context, clientId: string, form: Form): Promise<TokenGrant> {
  const value = required(form, 'refresh_token')
  const target = targetOf(ctx, form)
  return endingReplays(ctx, async (tx) => {
    const used = await useRefreshToken(tx, ctx, value)
    if (!used || used.client_id !== clientId) throw invalidGrant('The refresh token is unknown or was used')
    if (used.replayed) return { replayed: used.token_id, client_id: clientId }
    if (target !== null && target !== used.resource)
      throw new OAuthProblem(400, 'invalid_target', 'The refresh token was given for another resource')
    const renew = used.kind === 'cli' ? renewToken : renewGrant
    return answer(tx, ctx, await renew(tx, ctx, used.token_id))
  })
}

async function clientIdOf(ctx: Context, credentials: Credentials): Promise<string> {
  if (isCli(ctx, credentials.client_id)) return CLI_CLIENT_ID
  return (await authenticateClient(ctx.db, credentials)).client_id
}

/** Gives a token for what the form proves. */
export async function exchange(ctx: Context, form: Form, credentials: Credentials): Promise<TokenGrant> {
  switch (required(form, 'grant_type')) {
    case 'authorization_code':
      return fromCode(ctx, await authenticateClient(ctx.db, credentials), form)
    case 'refresh_token':
      return fromRefresh(ctx, await clientIdOf(ctx, credentials), form)
    case DEVICE_GRANT:
      if (!isCli(ctx, credentials.client_id)) throw new OAuthProblem(401, 'invalid_client', 'No such client')
      return fromDevice(ctx, form)
    default:
      throw new OAuthProblem(400, 'unsupported_grant_type', 'This grant_type is not known')
  }
}
