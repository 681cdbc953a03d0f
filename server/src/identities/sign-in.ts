import type { SignInRefusalCode } from '@parley/contract'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { callerOf, type OpenedSession, startSession } from '../accounts/sessions.js'
import { now } from '../platform/clock.js'
import type { Context } from '../platform/context.js'
import { transaction } from '../platform/db/transaction.js'
import { translated } from '../platform/http/reply-problem.js'
import { setSessionCookie } from '../platform/http/session-cookie.js'
import { OutboundError } from '../platform/outbound/error.js'
import { Problem } from '../platform/problem.js'
import { seal } from '../platform/seal.js'
import { welcome } from './account.js'
import { type Claims, readClaims } from './claims.js'
import type { Connection, Connections } from './connect.js'
import { insertProviderSession } from './identity-queries.js'
import { keepPending, type Pending, takePending } from './pending.js'
import { findOpenProvider, type ProviderRow, updateProvider } from './provider-queries.js'
import { addressesOf } from './providers.js'
import { SignInRefusal } from './refusal.js'

export interface Visit {
  ctx: Context
  request: FastifyRequest
  reply: FastifyReply
  connections: Connections
  slug: string
}

export const idTokenPurpose = (tokenId: number) => `id token\0${tokenId}`

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

/** The address at the provider, with everything that the way back is checked by. */
async function begin(visit: Visit, to: string | undefined): Promise<string> {
  const { ctx, reply, slug } = visit
  const provider = await openProvider(visit)
  const { oidc, config } = await connect(visit, provider)
  const pending = {
    slug,
    state: oidc.randomState(),
    nonce: oidc.randomNonce(),
    verifier: oidc.randomPKCECodeVerifier(),
    to: ownPath(ctx.config, to),
  }
  const url = oidc.buildAuthorizationUrl(config, {
    redirect_uri: addressesOf(ctx.config, slug).redirect_uri,
    scope: [...new Set(['openid', ...provider.scopes])].join(' '),
    state: pending.state,
    nonce: pending.nonce,
    code_challenge: await oidc.calculatePKCECodeChallenge(pending.verifier),
    code_challenge_method: 'S256',
  })
  keepPending(ctx, reply, pending)
  return url.href
}

const causes = function* (error: unknown) {
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

async function finish(visit: Visit): Promise<{ session: OpenedSession; to: string }> {
  const { ctx, request, reply, slug } = visit
  const pending = takePending(ctx, request, reply, slug)
  if (!pending) throw new SignInRefusal('expired')
  const provider = await openProvider(visit)
  const connection = await connect(visit, provider)
  const { redirect_uri } = addressesOf(ctx.config, slug)
  const query = request.url.indexOf('?')
  const back = new URL(redirect_uri + (query < 0 ? '' : request.url.slice(query)))
  const { id_token, claims } = await exchange(connection, back, pending)
  const stranger = readClaims(provider, claims)
  const caller = callerOf(request)
  const session = await transaction(ctx, async (tx) => {
    const user = await welcome({ tx, ctx, caller, provider, stranger })
    const { token_id, session } = await startSession(tx, ctx, caller, user)
    await insertProviderSession(tx, {
      token_id,
      provider_id: provider.id,
      subject: stranger.subject,
      sid: typeof claims.sid === 'string' ? claims.sid : null,
      sealed_id_token: seal(ctx.secret, idTokenPurpose(token_id), id_token),
    })
    await updateProvider(tx, provider.id, { last_used_at: now(ctx.clock) })
    return session
  })
  return { session, to: pending.to }
}

const BY_CODE: Partial<Record<string, SignInRefusalCode>> = {
  licenses_limit: 'licences',
  access_denied: 'suspended',
}

/** Leads back to the sign-in page, which says why. */
function refused({ ctx, slug }: Visit, thrown: unknown): string {
  const error = translated(thrown as Error)
  const refusal =
    error instanceof Problem ? new SignInRefusal(BY_CODE[error.code] ?? 'failed', { cause: error }) : error
  if (!(refusal instanceof SignInRefusal)) throw thrown
  const reasons = [...causes(refusal.cause)].map(({ message }) => message)
  ctx.log.warn(
    { provider: slug, refusal: refusal.code, reasons },
    'sign-in through an identity provider failed',
  )
  return `${ctx.config.app_url}/sign-in?${new URLSearchParams({ refused: refusal.code })}`
}

function redirect({ reply }: Visit, location: string) {
  reply.header('Cache-Control', 'no-store').header('Referrer-Policy', 'no-referrer')
  return reply.redirect(location, 302)
}

export async function beginSignIn(visit: Visit, to: string | undefined) {
  return redirect(visit, await begin(visit, to).catch((error) => refused(visit, error)))
}

export async function finishSignIn(visit: Visit) {
  try {
    const { session, to } = await finish(visit)
    setSessionCookie(visit.ctx, visit.reply, session.token)
    return redirect(visit, visit.ctx.config.app_url + to)
  } catch (error) {
    return redirect(visit, refused(visit, error))
  }
}
