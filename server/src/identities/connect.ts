import ipaddr from 'ipaddr.js'
import type { JWTVerifyGetKey } from 'jose'
import { LRUCache } from 'lru-cache'
import type * as OpenId from 'openid-client'
import type { Context } from '../platform/context.js'
import { hostOf } from '../platform/outbound/guard.js'
import { unseal } from '../platform/seal.js'
import { MINUTE_MS } from '../platform/time.js'
import type { ProviderRow } from './provider-queries.js'

/** Loaded with the first sign-in through a provider: most servers have none. */
export const openIdLibrary = () => import('openid-client')
const joseLibrary = () => import('jose')

const TIMEOUT_MS = 10_000
const MAX_BYTES = 1024 * 1024
/** A provider that moves its endpoints or keys is noticed within this time. */
const KEPT_MS = 10 * MINUTE_MS
const KEPT = 100

export const secretPurpose = (slug: string) => `identity provider\0${slug}`

export function secretOf(ctx: Context, { slug, sealed_client_secret: sealed }: ProviderRow): string | null {
  return (sealed && unseal(ctx.secret, secretPurpose(slug), sealed)?.toString()) ?? null
}

function isLoopback(host: string): boolean {
  if (host === 'localhost' || host.endsWith('.localhost')) return true
  return ipaddr.isValid(host) && ipaddr.process(host).range() === 'loopback'
}

const isPlain = (url: URL) => url.protocol === 'http:'

/** What is wrong with an issuer as it is written; undefined where nothing is. */
export async function issuerFault({ outbound }: Context, issuer: string): Promise<string | undefined> {
  const checked = await outbound.check(issuer)
  if (!checked.ok) return checked.reason
  const url = new URL(issuer)
  if (url.search || url.hash) return 'must have neither a query nor a fragment'
  return isPlain(url) && !isLoopback(hostOf(url)) ? 'must begin with https://' : undefined
}

/** Requests of the library, on the one way out that keeps away from private addresses. */
export function outboundFetch({ outbound }: Context): OpenId.CustomFetch {
  return async (url, { method, headers, body, signal }) => {
    const answer = await outbound.request({
      url,
      method: method === 'POST' ? 'POST' : 'GET',
      headers,
      ...(body ? { body: String(body) } : {}),
      timeout_ms: TIMEOUT_MS,
      max_bytes: MAX_BYTES,
      ...(signal ? { signal } : {}),
    })
    const text = answer.body.length > 0 ? new Uint8Array(answer.body) : null
    return new Response(text, { status: answer.status, headers: answer.headers })
  }
}

/** What the provider says of itself; rejects where it does not answer, or as another issuer. */
export async function discover(ctx: Context, provider: ProviderRow): Promise<OpenId.Configuration> {
  const oidc = await openIdLibrary()
  const issuer = new URL(provider.issuer)
  return oidc.discovery(issuer, provider.client_id, undefined, oidc.None(), {
    [oidc.customFetch]: outboundFetch(ctx),
    timeout: TIMEOUT_MS / 1000,
    ...(isPlain(issuer) ? { execute: [oidc.allowInsecureRequests] } : {}),
  })
}

/** How the client proves itself: by the usual way of the specification, unless the provider knows only the other. */
export function authenticate(oidc: typeof OpenId, server: OpenId.ServerMetadata, secret: string | null) {
  if (secret === null) return oidc.None()
  const methods = server.token_endpoint_auth_methods_supported
  const post = methods?.includes('client_secret_post') && !methods.includes('client_secret_basic')
  return post ? oidc.ClientSecretPost(secret) : oidc.ClientSecretBasic(secret)
}

export interface Connection {
  oidc: typeof OpenId
  config: OpenId.Configuration
  /** Finds the key of a token that the provider signed. */
  keys: JWTVerifyGetKey
}

async function open(ctx: Context, provider: ProviderRow): Promise<Connection> {
  const [oidc, jose, found] = await Promise.all([openIdLibrary(), joseLibrary(), discover(ctx, provider)])
  const server = found.serverMetadata()
  const secret = secretOf(ctx, provider)
  // The library compares with the clock of the machine.
  const skew_s = Math.round((ctx.clock.now() - Date.now()) / 1000)
  const metadata = { [oidc.clockSkew]: skew_s, [oidc.clockTolerance]: 60 }
  const auth = authenticate(oidc, server, secret)
  const config = new oidc.Configuration(server, provider.client_id, metadata, auth)
  config[oidc.customFetch] = outboundFetch(ctx)
  config.timeout = TIMEOUT_MS / 1000
  if (isPlain(new URL(provider.issuer))) oidc.allowInsecureRequests(config)
  oidc.enableNonRepudiationChecks(config)
  const keys = jose.createRemoteJWKSet(new URL(server.jwks_uri ?? provider.issuer), {
    [jose.customFetch]: (url, { method, headers, signal }) =>
      outboundFetch(ctx)(url, {
        method,
        headers: Object.fromEntries(headers),
        body: null,
        redirect: 'manual',
        signal,
      }),
  })
  return { oidc, config, keys }
}

export interface Connections {
  to(ctx: Context, provider: ProviderRow): Promise<Connection>
}

/** Keeps what providers say of themselves for a while. */
export function createConnections({ resets, clock }: Context): Connections {
  const kept = new LRUCache<string, Promise<Connection>>({
    max: KEPT,
    ttl: KEPT_MS,
    perf: { now: () => clock.now() },
    ttlResolution: 0,
  })
  resets.add(() => kept.clear())
  return {
    to(ctx, provider) {
      const key = `${provider.id} ${provider.changed_at.getTime()}`
      const known = kept.get(key)
      if (known) return known
      const opening = open(ctx, provider)
      kept.set(key, opening)
      opening.catch(() => kept.delete(key))
      return opening
    },
  }
}
