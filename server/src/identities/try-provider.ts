import {
  fillText,
  PROVIDER_FINDINGS,
  type ProviderCheck,
  type ProviderFindingCode,
  type ValuesOf,
} from '@parley/contract'
import type { Configuration } from 'openid-client'
import type { Context } from '../platform/context.js'
import { found } from '../platform/problem.js'
import { authenticate, discover, issuerFault, openIdLibrary, outboundFetch, secretOf } from './connect.js'
import { findProvider, type ProviderRow } from './provider-queries.js'
import { addressesOf } from './providers.js'

const STEPS = ['address', 'discovery', 'issuer', 'features', 'keys', 'client'] as const

type Found = Pick<ProviderCheck, 'code' | 'values' | 'detail'>

function finding<C extends ProviderFindingCode>(
  code: C,
  values: ValuesOf<(typeof PROVIDER_FINDINGS)[C]>,
): Found {
  return { code, values, detail: fillText(PROVIDER_FINDINGS[code], values) }
}

/** A step that fails, with what was found. */
class Broken extends Error {
  constructor(readonly found: Found) {
    super(found.detail ?? '')
  }
}

/** Ends the walk with a finding. */
function fail<C extends ProviderFindingCode>(
  code: C,
  values: ValuesOf<(typeof PROVIDER_FINDINGS)[C]>,
): never {
  throw new Broken(finding(code, values))
}

async function fetchText(ctx: Context, url: string) {
  const answer = await outboundFetch(ctx)(url, { method: 'GET', headers: {}, body: null, redirect: 'manual' })
  return { url, status: answer.status, text: await answer.text() }
}

async function askAddress(ctx: Context, { issuer }: ProviderRow) {
  const fault = await issuerFault(ctx, issuer)
  if (fault) fail('address_not_allowed', { reason: fault })
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
  if (status !== 200) fail('document_missing', { url, status })
  const document = parse(text)
  if (typeof document !== 'object' || document === null) fail('document_not_json', { url })
  return document as Record<string, unknown>
}

function tryFeatures(config: Configuration): Found {
  const server = config.serverMetadata()
  const missing = ['authorization_endpoint', 'token_endpoint', 'jwks_uri'].filter((name) => !server[name])
  if (missing.length > 0) fail('features_missing', { missing: missing.join(', ') })
  if (server.code_challenge_methods_supported && !server.supportsPKCE()) fail('features_no_pkce', {})
  const without = ['end_session_endpoint', 'userinfo_endpoint'].filter((name) => !server[name])
  return without.length > 0
    ? finding('features_some', { missing: without.join(', ') })
    : finding('features_all', {})
}

async function tryKeys(ctx: Context, config: Configuration): Promise<Found> {
  const { url, status, text } = await fetchText(ctx, config.serverMetadata().jwks_uri as string)
  const keys = (parse(text) as { keys?: unknown[] } | undefined)?.keys
  if (!Array.isArray(keys) || keys.length === 0) fail('keys_missing', { url, status })
  return finding('keys_found', { count: keys.length })
}

/** Offers a code that no provider gave: what is refused then is the code, unless the client is refused before. */
async function tryClient(ctx: Context, provider: ProviderRow, found: Configuration): Promise<Found> {
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
      return finding('client_known', {})
    if (error instanceof oidc.ResponseBodyError)
      fail('client_refused', { reason: [error.error, error.error_description].filter(Boolean).join(': ') })
    if (error instanceof oidc.WWWAuthenticateChallengeError)
      fail('client_refused', { reason: 'invalid_client' })
    throw error
  }
  return finding('client_known', {})
}

function textOf(error: unknown): string {
  const texts: string[] = []
  for (let at: unknown = error; at instanceof Error; at = at.cause) texts.push(at.message)
  return [...new Set(texts)].join(': ').slice(0, 500)
}

async function walk(ctx: Context, provider: ProviderRow, pass: (found: Found) => void) {
  const answer = await askAddress(ctx, provider)
  pass(finding('address_answers', { status: answer.status }))
  const document = readDocument(answer)
  pass(finding('document_found', { url: answer.url }))
  if (document.issuer !== provider.issuer) fail('issuer_differs', { issuer: String(document.issuer) })
  pass(finding('issuer_matches', { issuer: provider.issuer }))
  const config = await discover(ctx, provider)
  pass(tryFeatures(config))
  pass(await tryKeys(ctx, config))
  pass(await tryClient(ctx, provider, config))
}

/** Walks the steps of a connection until one fails; the others are skipped. */
export async function tryProvider(ctx: Context, id: number): Promise<ProviderCheck[]> {
  const provider = found(await findProvider(ctx.db, id), { key: 'id', value: id })
  const checks: Omit<ProviderCheck, 'step'>[] = []
  try {
    await walk(ctx, provider, (found) => checks.push({ state: 'ok', ...found }))
  } catch (error) {
    const found = error instanceof Broken ? error.found : finding('failed', { reason: textOf(error) })
    checks.push({ state: 'failed', ...found })
  }
  const skipped = { state: 'skipped' as const, code: null, values: {}, detail: null }
  return STEPS.map((step, at) => ({ step, ...(checks[at] ?? skipped) }))
}
