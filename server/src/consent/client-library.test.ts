import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as oauth from 'oauth4webapi'
import type { World } from '../testing/world.js'
import { BACK, infoOf, poll, SECRET, settle, signedIn, stage, startDevice } from './testing-flows.js'

// The whole flow with an OAuth client library that checks every answer against the RFCs.

const PLAIN_HTTP = { [oauth.allowInsecureRequests]: true }

async function discover({ url }: World): Promise<oauth.AuthorizationServer> {
  const issuer = new URL(url)
  const answer = await oauth.discoveryRequest(issuer, { algorithm: 'oauth2', ...PLAIN_HTTP })
  return oauth.processDiscoveryResponse(issuer, answer)
}

/** What the browser brings back from the consent screen. */
async function consent(scene: World, server: oauth.AuthorizationServer, query: Record<string, string>) {
  const { pathname } = new URL(server.authorization_endpoint as string)
  const path = `${pathname}?${new URLSearchParams({ response_type: 'code', redirect_uri: BACK, ...query })}`
  const browser = await signedIn(scene, path)
  const back = await browser.submit(path, await browser.visit(path), 'consent', { answer: 'allow' })
  return new URL(back.location as string)
}

/** Authorization code with PKCE, state and issuer, from discovery to tokens. */
async function authorize(scene: World, client: oauth.Client, auth: oauth.ClientAuth) {
  const server = await discover(scene)
  const verifier = oauth.generateRandomCodeVerifier()
  const state = oauth.generateRandomState()
  const location = await consent(scene, server, {
    client_id: client.client_id,
    scope: 'messages:read',
    state,
    code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
  })
  const parameters = oauth.validateAuthResponse(server, client, location, state)
  const exchange = (code_verifier: string) =>
    oauth.authorizationCodeGrantRequest(server, client, auth, parameters, BACK, code_verifier, PLAIN_HTTP)
  return { server, verifier, exchange }
}

async function refresh(
  server: oauth.AuthorizationServer,
  client: oauth.Client,
  auth: oauth.ClientAuth,
  token: string,
) {
  const answer = await oauth.refreshTokenGrantRequest(server, client, auth, token, PLAIN_HTTP)
  return oauth.processRefreshTokenResponse(server, client, answer)
}

const isDenied = (error: string) => (thrown: unknown) =>
  thrown instanceof oauth.ResponseBodyError && thrown.error === error

const METHODS = { Basic: oauth.ClientSecretBasic(SECRET), post: oauth.ClientSecretPost(SECRET) }

for (const [name, auth] of Object.entries(METHODS))
  test(`a client library gets, refreshes and revokes a grant with its secret (${name})`, async (t) => {
    const scene = await stage(t)
    const client = { client_id: 'helper' }
    const { server, verifier, exchange } = await authorize(scene, client, auth)

    const answer = await exchange(verifier)
    const first = await oauth.processAuthorizationCodeResponse(server, client, answer)
    assert.equal((await infoOf(scene, first.access_token)).data.user_id, scene.alice.id)

    const second = await refresh(server, client, auth, first.refresh_token as string)
    assert.equal(second.token_type, 'bearer')
    assert.equal((await infoOf(scene, second.access_token)).data.user_id, scene.alice.id)

    const revoked = await oauth.revocationRequest(server, client, auth, second.access_token, PLAIN_HTTP)
    await oauth.processRevocationResponse(revoked)
    await assert.rejects(infoOf(scene, second.access_token), { status: 401 })
    await assert.rejects(
      refresh(server, client, auth, second.refresh_token as string),
      isDenied('invalid_grant'),
    )

    const unknown = await oauth.revocationRequest(server, client, auth, 'no such token', PLAIN_HTTP)
    await oauth.processRevocationResponse(unknown)
  })

test('a client library without a secret needs its PKCE verifier, and rotates refresh tokens', async (t) => {
  const scene = await stage(t, { confidential: false })
  const client = { client_id: 'helper' }
  const none = oauth.None()
  const wrong = await authorize(scene, client, none)
  const refused = await wrong.exchange(oauth.generateRandomCodeVerifier())
  await assert.rejects(
    oauth.processAuthorizationCodeResponse(wrong.server, client, refused),
    isDenied('invalid_grant'),
  )

  const { server, verifier, exchange } = await authorize(scene, client, none)
  const first = await oauth.processAuthorizationCodeResponse(server, client, await exchange(verifier))
  const second = await refresh(server, client, none, first.refresh_token as string)
  assert.notEqual(second.refresh_token, first.refresh_token)
  await assert.rejects(
    refresh(server, client, none, first.refresh_token as string),
    isDenied('invalid_grant'),
  )
})

test('a client library signs a device in', async (t) => {
  const scene = await stage(t)
  const { clock } = scene
  clock.freeze(true)
  const server = await discover(scene)
  const client = { client_id: 'parley_cli' }
  const none = oauth.None()
  const answer = await oauth.deviceAuthorizationRequest(server, client, none, {}, PLAIN_HTTP)
  const device = await oauth.processDeviceAuthorizationResponse(server, client, answer)
  const poll = async () => {
    const polled = await oauth.deviceCodeGrantRequest(server, client, none, device.device_code, PLAIN_HTTP)
    return oauth.processDeviceCodeResponse(server, client, polled)
  }

  await assert.rejects(poll(), isDenied('authorization_pending'))
  await assert.rejects(poll(), isDenied('slow_down'))
  await settle(scene, device.user_code, 'approve')
  clock.advance((device.interval as number) * 2 * 1000)
  const tokens = await poll()
  assert.equal((await infoOf(scene, tokens.access_token)).data.user_id, scene.alice.id)
  assert.ok((await refresh(server, client, none, tokens.refresh_token as string)).access_token)
})

test('a client library without a secret logs out, with an access token that is over as well', async (t) => {
  const scene = await stage(t, { confidential: false })
  const none = oauth.None()
  const revoke = async (server: oauth.AuthorizationServer, client: oauth.Client, token: string) =>
    oauth.processRevocationResponse(await oauth.revocationRequest(server, client, none, token, PLAIN_HTTP))
  const client = { client_id: 'helper' }
  const { server, verifier, exchange } = await authorize(scene, client, none)
  const granted = await oauth.processAuthorizationCodeResponse(server, client, await exchange(verifier))
  await revoke(server, { client_id: 'parley_cli' }, granted.access_token)
  await infoOf(scene, granted.access_token)
  await revoke(server, client, granted.access_token)
  await assert.rejects(infoOf(scene, granted.access_token), { status: 401 })

  const device = await startDevice(scene)
  await settle(scene, device.user_code, 'approve')
  const { body: login } = await poll(scene, device.device_code)
  scene.clock.advance(3_601_000)
  const cli = { client_id: 'parley_cli' }
  await revoke(server, cli, login.refresh_token)
  await assert.rejects(refresh(server, cli, none, login.refresh_token), isDenied('invalid_grant'))
})
