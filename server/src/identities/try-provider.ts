import type { ProviderCheck } from '@parley/contract'
import type { Configuration } from 'openid-client'
import type { Context } from '../platform/context.js'
import { found } from '../platform/problem.js'
import { authenticate, discover, issuerFault, openIdLibrary, outboundFetch, secretOf } from './connect.js'
import { findProvider, type ProviderRow } from './provider-queries.js'
import { addressesOf } from './providers.js'

const STEPS = ['address', 'discovery', 'issuer', 'features', 'keys', 'client'] as const

/** A step that fails, with what was found. */
class Broken extends Error {}

async function fetchText(ctx: Context, url: string) {
  const answer = await outboundFetch(ctx)(url, { method: 'GET', headers: {}, body: null, redirect: 'manual' })
  return { url, status: answer.status, text: await answer.text() }
}

async function askAddress(ctx: Context, { issuer }: ProviderRow) {
  const fault = await issuerFault(ctx, issuer)
  if (fault) throw new Broken(fault)
  return fetchText(ctx, `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`)
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function readDocument({ url, status, text }: { url: string; status: number; text: string }) {
  if (status !== 200) throw new Broken(`${url} answers with status ${status}`)
  const document = parse(text)
  if (typeof document !== 'object' || document === null) throw new Broken(`${url} is not a JSON document`)
  return document as Record<string, unknown>
}

function tryFeatures(config: Configuration): string {
  const server = config.serverMetadata()
  const missing = ['authorization_endpoint', 'token_endpoint', 'jwks_uri'].filter((name) => !server[name])
  if (missing.length > 0) throw new Broken(`the document lacks ${missing.join(', ')}`)
  if (server.code_challenge_methods_supported && !server.supportsPKCE())
    throw new Broken('the provider does not support PKCE with S256')
  const more = { 'sign-out page': server.end_session_endpoint, userinfo: server.userinfo_endpoint }
  const without = Object.entries(more).flatMap(([name, address]) => (address ? [] : [name]))
  return without.length > 0 ? `without ${without.join(', ')}` : 'code flow with PKCE, userinfo, sign-out page'
}

async function tryKeys(ctx: Context, config: Configuration): Promise<string> {
  const { url, status, text } = await fetchText(ctx, config.serverMetadata().jwks_uri as string)
  const keys = (parse(text) as { keys?: unknown[] } | undefined)?.keys
  if (!Array.isArray(keys) || keys.length === 0) throw new Broken(`${url} has no keys (status ${status})`)
  return `${keys.length} keys`
}

/** Offers a code that no provider gave: what is refused then is the code, unless the client is refused before. */
async function tryClient(ctx: Context, provider: ProviderRow, found: Configuration): Promise<string> {
  const oidc = await openIdLibrary()
  const server = found.serverMetadata()
  const auth = authenticate(oidc, server, secretOf(ctx, provider))
  const config = new oidc.Configuration(server, provider.client_id, undefined, auth)
  config[oidc.customFetch] = outboundFetch(ctx)
  if (provider.issuer.startsWith('http:')) oidc.allowInsecureRequests(config)
  const parameters = {
    code: 'connection-test',
    redirect_uri: addressesOf(ctx.config, provider.slug).redirect_uri,
    code_verifier: oidc.randomPKCECodeVerifier(),
  }
  try {
    await oidc.genericGrantRequest(config, 'authorization_code', parameters)
  } catch (error) {
    if (error instanceof oidc.ResponseBodyError && error.error === 'invalid_grant')
      return 'the provider knows the client'
    if (error instanceof oidc.ResponseBodyError)
      throw new Broken(`${error.error}: ${error.error_description ?? 'the provider refuses the client'}`)
    if (error instanceof oidc.WWWAuthenticateChallengeError)
      throw new Broken('invalid_client: the provider refuses id or secret')
    throw error
  }
  return 'the provider knows the client'
}

function textOf(error: unknown): string {
  const texts: string[] = []
  for (let at: unknown = error; at instanceof Error; at = at.cause) texts.push(at.message)
  return [...new Set(texts)].join(': ').slice(0, 500)
}

async function walk(ctx: Context, provider: ProviderRow, pass: (detail: string) => void) {
  const answer = await askAddress(ctx, provider)
  pass(`status ${answer.status}`)
  const document = readDocument(answer)
  pass(answer.url)
  if (document.issuer !== provider.issuer)
    throw new Broken(`the provider calls itself ${document.issuer}: enter this as its address`)
  pass(provider.issuer)
  const config = await discover(ctx, provider)
  pass(tryFeatures(config))
  pass(await tryKeys(ctx, config))
  pass(await tryClient(ctx, provider, config))
}

/** Walks the steps of a connection until one fails; the others are skipped. */
export async function tryProvider(ctx: Context, id: number): Promise<ProviderCheck[]> {
  const provider = found(await findProvider(ctx.db, id), { key: 'id', value: id })
  const checks: Pick<ProviderCheck, 'state' | 'detail'>[] = []
  try {
    await walk(ctx, provider, (detail) => checks.push({ state: 'ok', detail }))
  } catch (error) {
    checks.push({ state: 'failed', detail: textOf(error) })
  }
  return STEPS.map((step, at) => ({ step, ...(checks[at] ?? { state: 'skipped', detail: null }) }))
}
