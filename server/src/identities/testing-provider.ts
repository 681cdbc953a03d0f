import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { TestContext } from 'node:test'
import { createIdentityProvider, type ProviderInput } from '@parley/contract'
import { exportJWK, generateKeyPair } from 'jose'
import { Provider } from 'oidc-provider'
import type { World } from '../testing/world.js'

export const CLIENT = { client_id: 'parley', client_secret: 'a secret of the client' }

type Known = Record<string, unknown>

/** A real OpenID provider, on a port of its own; `people` are its accounts, and `next` is who signs in there. */
export interface TestProvider {
  issuer: string
  people: Map<string, Known>
  next: string | { error: string }
}

async function newKey() {
  const { privateKey } = await generateKeyPair('ES256', { extractable: true })
  return { ...(await exportJWK(privateKey)), kid: 'first', alg: 'ES256', use: 'sig' }
}

function configure(own: TestProvider, url: string, keys: object[]) {
  const back = `${url}/sign-in/oidc/house`
  return {
    clients: [
      {
        ...CLIENT,
        redirect_uris: [`${back}/callback`],
        post_logout_redirect_uris: [`${url}/sign-in`],
        backchannel_logout_uri: `${back}/logout`,
        backchannel_logout_session_required: true,
        id_token_signed_response_alg: 'ES256',
      },
    ],
    jwks: { keys },
    // Its own keeps away from loopback.
    fetch: (url: string, { dispatcher: _, ...init }: RequestInit & { dispatcher?: unknown }) =>
      fetch(url, init),
    cookies: { keys: ['a key of this test'] },
    claims: {
      email: ['email', 'email_verified'],
      profile: ['given_name', 'family_name', 'preferred_username'],
      groups: ['groups'],
    },
    scopes: ['openid', 'email', 'profile', 'groups'],
    features: {
      devInteractions: { enabled: false },
      backchannelLogout: { enabled: true },
      rpInitiatedLogout: {
        enabled: true,
        logoutSource(ctx: { body: string }, form: string) {
          ctx.body = form
        },
      },
    },
    interactions: { url: (_: unknown, { uid }: { uid: string }) => `/interaction/${uid}` },
    findAccount: (_: unknown, id: string) => ({
      accountId: id,
      claims: () => ({ sub: id, ...own.people.get(id) }),
    }),
    // People are not asked whether they consent.
    async loadExistingGrant({ oidc }: { oidc: { provider: Provider; client: never; session: never } }) {
      const { clientId } = oidc.client as { clientId: string }
      const { accountId } = oidc.session as { accountId: string }
      const grant = new oidc.provider.Grant({ clientId, accountId })
      grant.addOIDCScope('openid email profile groups')
      await grant.save()
      return grant
    },
  }
}

export async function startProvider(t: TestContext, { url }: Pick<World, 'url'>): Promise<TestProvider> {
  const server = createServer()
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => {
    server.closeAllConnections()
    server.close()
  })
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const own: TestProvider = { issuer, people: new Map(), next: '' }
  const provider = new Provider(issuer, configure(own, url, [await newKey()]) as never)
  const answer = provider.callback()
  server.on('request', (request: IncomingMessage, reply: ServerResponse) => {
    if (!request.url?.startsWith('/interaction/')) return void answer(request, reply)
    const result = typeof own.next === 'string' ? { login: { accountId: own.next } } : own.next
    void provider.interactionFinished(request, reply, result)
  })
  return own
}

/** Lets the owner set the provider up. */
export async function connectTo(
  { as, owner }: Pick<World, 'as' | 'owner'>,
  { issuer }: TestProvider,
  more: Partial<ProviderInput> = {},
) {
  const session = await as(owner.id, { session: true })
  const body = {
    slug: 'house',
    name: 'House',
    issuer,
    ...CLIENT,
    scopes: ['email', 'profile', 'groups'],
    ...more,
  }
  const { data } = await session.call(createIdentityProvider, { body })
  return { session, provider: data }
}

/** A browser without a screen: keeps cookies by host, and follows redirects. */
export function openBrowser() {
  const jar = new Map<string, Map<string, string>>()
  async function visit(
    address: string,
    init: RequestInit = {},
    hops = 10,
  ): Promise<{ url: URL; status: number; text: string }> {
    const url = new URL(address)
    const cookies = jar.get(url.host) ?? new Map<string, string>()
    jar.set(url.host, cookies)
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const headers = { ...(cookie && { cookie }), 'sec-fetch-site': 'same-origin', ...init.headers }
    const answer = await fetch(url, { ...init, redirect: 'manual', headers })
    for (const line of answer.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
      if (value) cookies.set(name, value)
      else cookies.delete(name)
    }
    const location = answer.headers.get('location')
    const text = await answer.text()
    if (!location) return { url, status: answer.status, text }
    const next = new URL(location, url)
    // Pages of the client are not asked for: where a browser would end is all that counts.
    if (!isOfServer(next) || hops === 0) return { url: next, status: answer.status, text }
    return visit(next.href, {}, hops - 1)
  }
  const isOfServer = ({ pathname }: URL) => /^\/(sign-in\/oidc|auth|interaction|session)/.test(pathname)
  return { visit, cookies: (host: string) => jar.get(host) ?? new Map() }
}

/** Signs somebody in through the provider in a new browser; the cookie session is a client of the API. */
export async function signInBy(
  scene: World,
  provider: TestProvider,
  who: string,
  path = '/sign-in/oidc/house',
) {
  provider.next = who
  const browser = openBrowser()
  const { url } = await browser.visit(scene.url + path)
  const token = browser.cookies(new URL(scene.url).host).get('parley_session') as string | undefined
  return { browser, url, token, refused: url.searchParams.get('refused') }
}

export function ensureSignedIn<T extends { token: string | undefined; refused: string | null }>(result: T) {
  assert.equal(result.refused, null)
  assert.ok(result.token)
  return result as T & { token: string }
}
