import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Context } from '../platform/context.js'
import { findUnstorable } from '../platform/http/read-body.js'
import { OutboundError } from '../platform/outbound/error.js'
import { type Claims, readClaims, type Stranger } from './claims.js'
import type { Connection, Connections } from './connect.js'
import { type Intent, keepPending, type Pending } from './pending.js'
import { findOpenProvider, type ProviderRow } from './provider-queries.js'
import { addressesOf } from './providers.js'
import { SignInRefusal } from './refusal.js'

/** A browser on its way to a provider, or back. */
export interface Visit {
  ctx: Context
  request: FastifyRequest
  reply: FastifyReply
  connections: Connections
  slug: string
}

/** A path of ours, and nothing that a browser would take for another host. */
function ownPath({ app_url }: Context['config'], given: string | undefined): string {
  if (!given?.startsWith('/') || !URL.canParse(given, app_url)) return '/'
  const url = new URL(given, app_url)
  return url.origin === new URL(app_url).origin ? url.pathname + url.search : '/'
}

async function openProvider({ ctx, slug }: Visit): Promise<ProviderRow> {
  const provider = await findOpenProvider(ctx.db, slug)
  if (!provider) throw new SignInRefusal('unknown_provider')
  return provider
}

async function connect({ ctx, connections }: Visit, provider: ProviderRow): Promise<Connection> {
  try {
    return await connections.to(ctx, provider)
  } catch (cause) {
    throw new SignInRefusal('unreachable', { cause })
  }
}

interface Aim {
  to: string | undefined
  /** What a person who is signed in already goes there for. */
  intent?: Intent
}

/** The address at the provider, with everything that the way back is checked by. */
export async function begin(visit: Visit, { to, intent }: Aim): Promise<string> {
  const { ctx, reply, slug } = visit
  const provider = await openProvider(visit)
  const { oidc, config } = await connect(visit, provider)
  const pending = {
    slug,
    state: oidc.randomState(),
    nonce: oidc.randomNonce(),
    verifier: oidc.randomPKCECodeVerifier(),
    to: ownPath(ctx.config, to),
    ...(intent && { intent }),
  }
  const url = oidc.buildAuthorizationUrl(config, {
    redirect_uri: addressesOf(ctx.config, slug).redirect_uri,
    scope: [...new Set(['openid', ...provider.scopes])].join(' '),
    state: pending.state,
    nonce: pending.nonce,
    code_challenge: await oidc.calculatePKCECodeChallenge(pending.verifier),
    code_challenge_method: 'S256',
    // A provider that keeps people signed in asks them again.
    ...(intent?.kind === 'confirm' && { prompt: 'login', max_age: '0' }),
  })
  keepPending(ctx, reply, pending)
  return url.href
}

export const causes = function* (error: unknown) {
  for (let at: unknown = error; at instanceof Error; at = at.cause) yield at
}

/** What went wrong between us and the provider. */
function refusalOf({ oidc }: Connection, cause: unknown): SignInRefusal {
  if (cause instanceof oidc.AuthorizationResponseError)
    return new SignInRefusal(cause.error === 'access_denied' ? 'cancelled' : 'refused', { cause })
  if (cause instanceof oidc.ResponseBodyError) return new SignInRefusal('refused', { cause })
  const unreachable = [...causes(cause)].some((error) => error instanceof OutboundError)
  return new SignInRefusal(unreachable ? 'unreachable' : 'invalid_answer', { cause })
}

async function exchange(connection: Connection, back: URL, pending: Pending) {
  const { oidc, config } = connection
  try {
    const tokens = await oidc.authorizationCodeGrant(config, back, {
      pkceCodeVerifier: pending.verifier,
      expectedState: pending.state,
      expectedNonce: pending.nonce,
      idTokenExpected: true,
    })
    const claims = tokens.claims() as Claims
    // Many providers tell mail and groups here alone.
    const more = config.serverMetadata().userinfo_endpoint
      ? await oidc.fetchUserInfo(config, tokens.access_token, claims.sub)
      : {}
    return { id_token: tokens.id_token as string, claims: { ...more, ...claims } as Claims }
  } catch (error) {
    throw refusalOf(connection, error)
  }
}

/** Somebody who has come back from a provider. */
export interface Returned {
  provider: ProviderRow
  stranger: Stranger
  claims: Claims
  id_token: string
}

export async function comeBack(visit: Visit, pending: Pending): Promise<Returned> {
  const { ctx, request, slug } = visit
  const provider = await openProvider(visit)
  const connection = await connect(visit, provider)
  const { redirect_uri } = addressesOf(ctx.config, slug)
  const query = request.url.indexOf('?')
  const back = new URL(redirect_uri + (query < 0 ? '' : request.url.slice(query)))
  const { id_token, claims } = await exchange(connection, back, pending)
  if (findUnstorable([claims.sub, claims.sid]) !== undefined) throw new SignInRefusal('invalid_answer')
  return { provider, stranger: readClaims(provider, claims), claims, id_token }
}
