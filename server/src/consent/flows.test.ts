import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openBrowser } from '../testing/browser.js'
import {
  audit,
  BACK,
  CHALLENGE,
  codeFor,
  exchange,
  infoOf,
  linkOf,
  post,
  SECRET,
  setClient,
  signedIn,
  stage,
  VERIFIER,
  WITH_CHALLENGE,
  withSecret,
} from './testing-flows.js'

test('the consent screen shows who asks, where, as whom and for what, and returns a code', async (t) => {
  const scene = await stage(t)
  const browser = await signedIn(scene, linkOf())
  const consent = await browser.visit(linkOf())
  assert.equal(consent.status, 200)
  for (const text of ['Helper_bot', 'Parley', 'alice@example.org', '<strong>Audit log</strong>: read'])
    assert.ok(consent.text.includes(text), text)

  const back = await browser.submit(linkOf(), consent, 'consent', { answer: 'allow' })
  const location = new URL(back.location as string)
  assert.equal(back.status, 303)
  assert.equal(location.origin + location.pathname, BACK)
  assert.equal(location.searchParams.get('state'), 'a b&c')
  assert.equal(location.searchParams.get('iss'), scene.url)

  const { status, body, headers } = await exchange(
    scene,
    withSecret({ code: location.searchParams.get('code') as string }),
  )
  assert.equal(status, 200)
  assert.equal(headers.get('cache-control'), 'no-store')
  assert.deepEqual(Object.keys(body).sort(), [
    'access_token',
    'created_at',
    'expires_in',
    'refresh_token',
    'scope',
    'token_type',
  ])
  assert.equal(body.token_type, 'Bearer')
  assert.equal(body.scope, 'messages:read audit_events:read')
  const { data } = await infoOf(scene, body.access_token)
  assert.equal(data.user_id, scene.alice.id)
  assert.equal(data.expires_in, 3600)
  assert.deepEqual(await audit(scene, 'oauth_authorization_granted'), [
    {
      actor_id: scene.alice.id,
      entity_type: 'User',
      entity_id: String(scene.alice.id),
      details: { client_id: 'helper', scopes: ['messages:read', 'audit_events:read'] },
    },
  ])
})

test('a granted token is cut by the role of its holder on every request', async (t) => {
  const scene = await stage(t)
  const { body } = await exchange(scene, withSecret({ code: await codeFor(scene) }))
  const answer = await fetch(`${scene.url}/v1/audit_events`, {
    headers: { Authorization: `Bearer ${body.access_token}` },
  })
  assert.equal(answer.status, 403)
  assert.equal(JSON.parse(await answer.text()).error, 'role_forbidden')
})

test('the same employee and the same scopes give the same token, and a server client is not asked again', async (t) => {
  const scene = await stage(t)
  const first = await exchange(scene, withSecret({ code: await codeFor(scene) }))
  const browser = await signedIn(scene, linkOf())
  const again = await browser.visit(linkOf())
  assert.equal(again.status, 302)
  const code = new URL(again.location as string).searchParams.get('code') as string
  const second = await exchange(scene, withSecret({ code }))
  assert.equal(second.body.access_token, first.body.access_token)
  assert.notEqual(second.body.refresh_token, first.body.refresh_token)
  assert.equal((await audit(scene, 'oauth_authorization_granted')).length, 1)
})

test('a larger set of scopes is asked for anew and leaves the old grant narrow', async (t) => {
  const scene = await stage(t)
  const first = await exchange(scene, withSecret({ code: await codeFor(scene) }))
  await setClient(scene, { scopes: ['messages:read', 'audit_events:read', 'chats:read'] })
  const second = await exchange(scene, withSecret({ code: await codeFor(scene) }))
  assert.notEqual(second.body.access_token, first.body.access_token)
  const { data } = await infoOf(scene, first.body.access_token)
  assert.deepEqual(data.scopes, ['messages:read', 'audit_events:read'])
  assert.equal(second.body.scope, 'messages:read audit_events:read chats:read')
})

test('a client without a secret needs a challenge, and is asked every time', async (t) => {
  const scene = await stage(t, { confidential: false })
  const bare = await openBrowser(scene.url).visit(linkOf())
  assert.equal(bare.status, 400)
  const path = linkOf(WITH_CHALLENGE)
  const code = await codeFor(scene, path)
  for (const code_verifier of ['w'.repeat(43), 'short', '']) {
    const { status, body } = await exchange(scene, { code, code_verifier })
    assert.deepEqual([status, body.error], [400, 'invalid_grant'])
  }
  assert.equal((await exchange(scene, { code, code_verifier: VERIFIER })).status, 200)
  const browser = await signedIn(scene, path)
  assert.equal((await browser.visit(path)).status, 200)
})

test('only challenges of the kind S256 count', async (t) => {
  const { url } = await stage(t)
  const odd: Record<string, string>[] = [
    { code_challenge: CHALLENGE },
    { code_challenge: CHALLENGE, code_challenge_method: 'plain' },
    { code_challenge: 'short', code_challenge_method: 'S256' },
  ]
  for (const query of odd) assert.equal((await openBrowser(url).visit(linkOf(query))).status, 400)
})

test('a code works once, for ten minutes, and for the address it was sent to', async (t) => {
  const scene = await stage(t)
  const code = await codeFor(scene)
  const elsewhere = await exchange(scene, withSecret({ code, redirect_uri: `${BACK}?x=1` }))
  assert.deepEqual([elsewhere.status, elsewhere.body.error], [400, 'invalid_grant'])
  assert.equal((await exchange(scene, withSecret({ code }))).status, 200)
  const twice = await exchange(scene, withSecret({ code }))
  assert.deepEqual([twice.status, twice.body.error], [400, 'invalid_grant'])

  const late = await codeFor(scene)
  scene.clock.advance(10 * 60_000)
  const expired = await exchange(scene, withSecret({ code: late }))
  assert.deepEqual([expired.status, expired.body.error], [400, 'invalid_grant'])
})

test('a server client proves itself in the body or by Basic, and nobody else gets a token', async (t) => {
  const scene = await stage(t)
  const code = await codeFor(scene)
  const odd: Record<string, string>[] = [
    { code },
    { code, client_secret: 'no' },
    { code, client_id: 'nobody' },
  ]
  for (const fields of odd) {
    const { status, body, headers } = await exchange(scene, fields)
    assert.deepEqual([status, body.error], [401, 'invalid_client'])
    assert.match(headers.get('www-authenticate') ?? '', /^Basic/)
  }
  const basic = Buffer.from(`helper:${encodeURIComponent(SECRET)}`).toString('base64')
  const fields = { grant_type: 'authorization_code', redirect_uri: BACK, code }
  const { status } = await post(scene, '/oauth/token', fields, { Authorization: `Basic ${basic}` })
  assert.equal(status, 200)
})

test('a client that was turned off is nobody', async (t) => {
  const scene = await stage(t)
  await setClient(scene, { enabled: false })
  assert.equal((await openBrowser(scene.url).visit(linkOf())).status, 400)
  assert.equal((await exchange(scene, withSecret({ code: 'x' }))).status, 401)
})

test('broken requests for a token say what is wrong', async (t) => {
  const scene = await stage(t)
  const none = await post(scene, '/oauth/token', {})
  assert.deepEqual([none.status, none.body.error], [400, 'invalid_request'])
  const odd = await post(scene, '/oauth/token', { grant_type: 'password', client_id: 'helper' })
  assert.deepEqual([odd.status, odd.body.error], [400, 'unsupported_grant_type'])
  const twice = await fetch(`${scene.url}/v1/oauth/token`, {
    method: 'POST',
    body: 'grant_type=refresh_token&grant_type=refresh_token',
    headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
  })
  assert.equal(twice.status, 400)
  const csv = await fetch(`${scene.url}/v1/oauth/token`, {
    method: 'POST',
    body: 'a,b',
    headers: { 'Content-Type': 'text/csv' },
  })
  assert.equal(JSON.parse(await csv.text()).error, 'invalid_request')
  const json = await fetch(`${scene.url}/v1/oauth/device_authorization`, {
    method: 'POST',
    body: JSON.stringify({ client_id: 'parley_cli' }),
    headers: { 'Content-Type': 'application/json' },
  })
  assert.equal(json.status, 200)
})

test('a link that leads elsewhere than registered is refused on the spot', async (t) => {
  const { url } = await stage(t)
  const odd = [
    'https://evil.example.org/back',
    `${BACK}/more`,
    `${BACK}#x`,
    `${BACK}?next=https://evil.example.org`,
    'http://localhost:3000/back?x=1',
    'http://bot.example.org/back',
    'javascript:alert(1)',
    'http://localhost.evil.org/back',
    '',
  ]
  for (const redirect_uri of odd) {
    const { status, location } = await openBrowser(url).visit(linkOf({ redirect_uri }))
    assert.deepEqual([status, location], [400, null], redirect_uri)
  }
  const moved = linkOf({ redirect_uri: 'http://localhost:51234/back' })
  assert.equal((await openBrowser(url).visit(moved)).status, 200)
  assert.equal((await openBrowser(url).visit(linkOf({ response_type: 'token' }))).status, 400)
  assert.equal((await openBrowser(url).visit(linkOf({ client_id: 'nobody' }))).status, 400)
})
