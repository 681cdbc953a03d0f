import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { type TestContext, test } from 'node:test'
import { endDeviceLogin, getTokenInfo, listDeviceLogins, listGrants, revokeGrant } from '@parley/contract'
import { createClient } from '@parley/sdk'
import { hashPassword } from '../company/passwords.js'
import { hashClientSecret } from '../oauth/clients.js'
import { revokeGrants } from '../oauth/grants.js'
import { scopesOf } from '../oauth/tokens.js'
import { transaction } from '../platform/db/transaction.js'
import { openBrowser } from '../testing/browser.js'
import { type World, type WorldOptions, world } from '../testing/world.js'

const SECRET = 'the secret of the client'
const VERIFIER = 'v'.repeat(43)
const CHALLENGE = createHash('sha256').update(VERIFIER).digest('base64url')
const BACK = 'https://bot.example.org/back'

/** A world in which the bot may ask employees for consent, and alice has a password. */
async function stage(t: TestContext, client: object = {}, options: WorldOptions = {}) {
  const scene = await world(t, options)
  const oauth_client = {
    client_id: 'helper',
    secret_hash: hashClientSecret(SECRET),
    secret_mask: 'the secr...ient',
    confidential: true,
    redirect_uris: [BACK, 'http://localhost:3000/back'],
    scopes: ['messages:read', 'audit_events:read'],
    enabled: true,
    ...client,
  }
  await scene.ctx.db
    .updateTable('bots')
    .set({ oauth_client: JSON.stringify(oauth_client) })
    .where('user_id', '=', scene.bot.id)
    .execute()
  await givePassword(scene, scene.alice.id)
  return scene
}

async function givePassword({ ctx }: World, user_id: number) {
  const password_hash = await hashPassword('open sesame')
  await ctx.db.updateTable('users').set({ password_hash }).where('id', '=', user_id).execute()
}

function setClient({ ctx, bot }: World, change: object) {
  return ctx.pool.query('update bots set oauth_client = oauth_client || $1 where user_id = $2', [
    JSON.stringify(change),
    bot.id,
  ])
}

function linkOf(query: Record<string, string> = {}): string {
  const usual = { client_id: 'helper', redirect_uri: BACK, response_type: 'code', state: 'a b&c' }
  return `/apps/authorize?${new URLSearchParams({ ...usual, ...query })}`
}

const WITH_CHALLENGE = { code_challenge: CHALLENGE, code_challenge_method: 'S256' }

async function signedIn({ url }: World, path: string, email = 'alice@example.org') {
  const browser = openBrowser(url)
  const door = await browser.visit(path)
  const answer = await browser.submit(path, door, 'sign-in', { email, password: 'open sesame' })
  assert.equal(answer.status, 303, answer.text)
  return browser
}

/** Signs in, consents, and gives the code that came back. */
async function codeFor(scene: World, path = linkOf()): Promise<string> {
  const browser = await signedIn(scene, path)
  const consent = await browser.visit(path)
  const back =
    consent.status === 302 ? consent : await browser.submit(path, consent, 'consent', { answer: 'allow' })
  return new URL(back.location as string).searchParams.get('code') as string
}

async function post(
  { url }: World,
  path: string,
  fields: Record<string, string>,
  headers: Record<string, string> = {},
) {
  const init = { method: 'POST', body: new URLSearchParams(fields), headers }
  const answer = await fetch(`${url}/v1${path}`, init)
  const text = await answer.text()
  return { status: answer.status, headers: answer.headers, body: text ? JSON.parse(text) : undefined }
}

function exchange(scene: World, fields: Record<string, string>, headers?: Record<string, string>) {
  const usual = { grant_type: 'authorization_code', client_id: 'helper', redirect_uri: BACK }
  return post(scene, '/oauth/token', { ...usual, ...fields }, headers)
}

const withSecret = (fields: Record<string, string>) => ({ client_secret: SECRET, ...fields })

function infoOf({ url }: World, token: string) {
  return createClient({ base_url: `${url}/v1`, token }).call(getTokenInfo)
}

async function audit({ ctx }: World, key: string) {
  const rows = await ctx.db.selectFrom('audit_events').selectAll().where('event_key', '=', key).execute()
  return rows.map(({ actor_id, entity_type, entity_id, details }) => ({
    actor_id,
    entity_type,
    entity_id,
    details,
  }))
}

test('the consent screen shows who asks, where, as whom and for what, and returns a code', async (t) => {
  const scene = await stage(t)
  const browser = await signedIn(scene, linkOf())
  const consent = await browser.visit(linkOf())
  assert.equal(consent.status, 200)
  for (const text of ['Helper_bot', 'Parley', 'alice@example.org', 'messages:read', 'audit_events:read'])
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
    'refresh_token',
    'scope',
    'token_type',
  ])
  assert.equal(body.token_type, 'Bearer')
  assert.equal(body.scope, 'messages:read audit_events:read')
  const { data } = await infoOf(scene, body.access_token)
  assert.equal(data.user_id, scene.alice.id)
  assert.equal(data.expires_in, null)
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
    'http://bot.example.org/back',
    'javascript:alert(1)',
    'http://localhost.evil.org/back',
    '',
  ]
  for (const redirect_uri of odd) {
    const { status, location } = await openBrowser(url).visit(linkOf({ redirect_uri }))
    assert.deepEqual([status, location], [400, null], redirect_uri)
  }
  for (const redirect_uri of [`${BACK}?from=here`, 'http://localhost:51234/back'])
    assert.equal((await openBrowser(url).visit(linkOf({ redirect_uri }))).status, 200, redirect_uri)
  assert.equal((await openBrowser(url).visit(linkOf({ response_type: 'token' }))).status, 400)
  assert.equal((await openBrowser(url).visit(linkOf({ client_id: 'nobody' }))).status, 400)
})

test('cancelling leads home and tells the bot nothing', async (t) => {
  const scene = await stage(t)
  const browser = await signedIn(scene, linkOf())
  const consent = await browser.visit(linkOf())
  const back = await browser.submit(linkOf(), consent, 'consent', { answer: 'cancel' })
  assert.equal(back.location, scene.ctx.config.app_url)
  assert.deepEqual(await scene.ctx.db.selectFrom('oauth_codes').selectAll().execute(), [])
})

test('where personal tokens are for admins alone, employees can neither consent nor connect a device', async (t) => {
  const scene = await stage(t)
  await scene.ctx.db.updateTable('workspace').set({ personal_tokens: 'admins' }).execute()
  const browser = await signedIn(scene, linkOf())
  assert.equal((await browser.visit(linkOf())).status, 403)
  assert.equal((await browser.visit('/apps/authorize')).status, 403)
  await givePassword(scene, scene.admin.id)
  const boss = await signedIn(scene, linkOf(), 'admin@example.org')
  assert.equal((await boss.visit(linkOf())).status, 200)
})

test('suspended people are not let in, and a wrong password is told', async (t) => {
  const scene = await stage(t)
  const away = await scene.person({ nickname: 'sue', suspended: true })
  await givePassword(scene, away.id)
  const browser = openBrowser(scene.url)
  const door = await browser.visit(linkOf())
  for (const [email, password, status] of [
    ['sue@example.org', 'open sesame', 403],
    ['alice@example.org', 'wrong', 401],
    ['nobody@example.org', 'open sesame', 401],
    ['bob@example.org', '', 401],
  ] as const) {
    const answer = await browser.submit(linkOf(), door, 'sign-in', { email, password })
    assert.equal(answer.status, status, email)
    assert.ok(!browser.jar.has('parley_session'))
  }
})

test('a guest who is signed in lets neither a bot nor a device act for him', async (t) => {
  const scene = await stage(t)
  const guest = await scene.person({ role: 'guest', nickname: 'gus' })
  await givePassword(scene, guest.id)
  const device = await startDevice(scene)
  const browser = openBrowser(scene.url)
  const door = await browser.visit(linkOf())
  await browser.submit(linkOf(), door, 'sign-in', { email: 'gus@example.org', password: 'open sesame' })
  for (const path of [linkOf(), '/apps/authorize']) assert.equal((await browser.visit(path)).status, 403)

  const form_token = /name="form_token" value="([^"]+)"/.exec(door.text)?.[1] as string
  const { user_code } = device
  for (const fields of [
    { step: 'consent', answer: 'allow', form_token },
    { step: 'code', user_code, form_token },
    { step: 'device', answer: 'approve', user_code, form_token },
  ]) {
    const body = new URLSearchParams(fields as Record<string, string>)
    assert.equal((await browser.visit(linkOf(), { method: 'POST', body })).status, 403, fields.step)
  }
  assert.deepEqual(await scene.ctx.db.selectFrom('oauth_codes').selectAll().execute(), [])
  assert.equal((await poll(scene, device.device_code)).body.error, 'authorization_pending')
})

test('a form that was not opened in this browser is refused', async (t) => {
  const scene = await stage(t)
  const browser = await signedIn(scene, linkOf())
  const consent = await browser.visit(linkOf())
  const foreign = await openBrowser(scene.url).visit(linkOf())
  const token = /name="form_token" value="([^"]+)"/.exec(foreign.text)?.[1] as string
  const fields = { step: 'consent', answer: 'allow', form_token: token }
  const forged = await browser.visit(linkOf(), { method: 'POST', body: new URLSearchParams(fields) })
  assert.equal(forged.status, 403)
  const own = /name="form_token" value="([^"]+)"/.exec(consent.text)?.[1] as string
  const crossed = await browser.visit(linkOf(), {
    method: 'POST',
    body: new URLSearchParams({ ...fields, form_token: own }),
    headers: { 'Sec-Fetch-Site': 'cross-site' },
  })
  assert.equal(crossed.status, 403)
  assert.deepEqual(await scene.ctx.db.selectFrom('oauth_codes').selectAll().execute(), [])
})

test('the pages run no scripts, are framed and cached by nobody, and print names as text', async (t) => {
  const scene = await stage(t)
  await scene.ctx.db
    .updateTable('users')
    .set({ first_name: '<script>alert(1)</script>' })
    .where('id', '=', scene.bot.id)
    .execute()
  const browser = await signedIn(scene, linkOf())
  const { text, headers } = await browser.visit(linkOf())
  assert.ok(!text.includes('<script'))
  assert.ok(text.includes('&lt;script&gt;'))
  const policy = headers.get('content-security-policy') ?? ''
  assert.match(policy, /default-src 'none'/)
  assert.match(policy, /frame-ancestors 'none'/)
  assert.match(policy, /form-action 'self' https:\/\/bot\.example\.org/)
  assert.equal(headers.get('cache-control'), 'no-store')
  const cookies = (await openBrowser(scene.url).visit(linkOf())).headers.getSetCookie()
  for (const cookie of cookies) assert.match(cookie, /HttpOnly; SameSite=Lax/)
})

test('the pages count as sign-in: twenty a minute from one address', async (t) => {
  const { url } = await stage(t, {}, { limits: true })
  const browser = openBrowser(url)
  for (let visit = 0; visit < 20; visit += 1)
    assert.equal((await browser.visit('/apps/authorize')).status, 200)
  assert.equal((await browser.visit('/apps/authorize')).status, 429)
})

test('signing out lets somebody else sign in', async (t) => {
  const scene = await stage(t)
  const browser = await signedIn(scene, linkOf())
  const consent = await browser.visit(linkOf())
  const session = browser.jar.get('parley_session') as string
  assert.equal((await browser.submit(linkOf(), consent, 'sign-out')).status, 303)
  assert.match((await browser.visit(linkOf())).text, /type="password"/)
  await assert.rejects(infoOf(scene, session), { status: 401 })
})

test('a refresh token of a grant works once and gives the same token again', async (t) => {
  const scene = await stage(t)
  const first = await exchange(scene, withSecret({ code: await codeFor(scene) }))
  const fields = { grant_type: 'refresh_token', refresh_token: first.body.refresh_token }
  const renewed = await post(scene, '/oauth/token', withSecret({ ...fields, client_id: 'helper' }))
  assert.equal(renewed.body.access_token, first.body.access_token)
  const twice = await post(scene, '/oauth/token', withSecret({ ...fields, client_id: 'helper' }))
  assert.deepEqual([twice.status, twice.body.error], [400, 'invalid_grant'])
  const stolen = { grant_type: 'refresh_token', refresh_token: renewed.body.refresh_token }
  const foreign = await post(scene, '/oauth/token', { ...stolen, client_id: 'parley_cli' })
  assert.deepEqual([foreign.status, foreign.body.error], [400, 'invalid_grant'])
})

test('a server client revokes a grant of its own, and of nobody else', async (t) => {
  const scene = await stage(t)
  const { body } = await exchange(scene, withSecret({ code: await codeFor(scene) }))
  const asClient = { client_id: 'helper', client_secret: SECRET }
  const foreign = await post(scene, '/oauth/revoke', { ...asClient, token: scene.alice.token })
  assert.equal(foreign.status, 200)
  await infoOf(scene, scene.alice.token)
  const wrong = { client_id: 'helper', client_secret: 'no', token: body.access_token }
  assert.equal((await post(scene, '/oauth/revoke', wrong)).status, 401)
  await infoOf(scene, body.access_token)

  assert.equal((await post(scene, '/oauth/revoke', { ...asClient, token: body.access_token })).status, 200)
  await assert.rejects(infoOf(scene, body.access_token), { status: 401 })
  assert.equal((await post(scene, '/oauth/revoke', { ...asClient, token: body.access_token })).status, 200)
  assert.deepEqual(await audit(scene, 'oauth_authorization_revoked'), [
    {
      actor_id: scene.alice.id,
      entity_type: 'User',
      entity_id: String(scene.alice.id),
      details: { client_id: 'helper', revoked_tokens_count: 1 },
    },
  ])
})

test('an employee sees whom he let act for him and ends it', async (t) => {
  const scene = await stage(t)
  const { body } = await exchange(scene, withSecret({ code: await codeFor(scene) }))
  const alice = await scene.as(scene.alice.id, { session: true })
  const bob = await scene.as(scene.bob.id, { session: true })
  const { data } = await alice.call(listGrants)
  assert.deepEqual(
    data.map(({ bot_id, client_id, scopes }) => ({ bot_id, client_id, scopes })),
    [{ bot_id: scene.bot.id, client_id: 'helper', scopes: ['audit_events:read', 'messages:read'] }],
  )
  assert.deepEqual((await bob.call(listGrants)).data, [])
  const params = { bot_id: scene.bot.id }
  await assert.rejects(bob.call(revokeGrant, { params }), { status: 404 })
  await assert.rejects(scene.alice.call(revokeGrant, { params }), { status: 403, code: 'not_authorized' })
  await alice.call(revokeGrant, { params })
  await assert.rejects(infoOf(scene, body.access_token), { status: 401 })
  const refresh = { grant_type: 'refresh_token', refresh_token: body.refresh_token, client_id: 'helper' }
  assert.equal((await post(scene, '/oauth/token', withSecret(refresh))).status, 400)
})

test('ending all grants of a bot counts them', async (t) => {
  const scene = await stage(t)
  const { body } = await exchange(scene, withSecret({ code: await codeFor(scene) }))
  await codeFor(scene)
  const counts = await transaction(scene.ctx, (tx) => revokeGrants(tx, scene.bot.id))
  assert.deepEqual(counts, { deleted_access_tokens_count: 1, deleted_access_grants_count: 1 })
  await assert.rejects(infoOf(scene, body.access_token), { status: 401 })
})

async function startDevice(scene: World, fields: Record<string, string> = {}) {
  const { status, body } = await post(scene, '/oauth/device_authorization', {
    client_id: 'parley_cli',
    ...fields,
  })
  assert.equal(status, 200)
  return body as { device_code: string; user_code: string; verification_uri: string }
}

function poll(scene: World, device_code: string) {
  const grant_type = 'urn:ietf:params:oauth:grant-type:device_code'
  return post(scene, '/oauth/token', { grant_type, client_id: 'parley_cli', device_code })
}

async function settle(scene: World, user_code: string, answer: string) {
  const path = '/apps/authorize'
  const browser = await signedIn(scene, path)
  const typed = await browser.submit(path, await browser.visit(path), 'code', {
    user_code: user_code.toLowerCase().replace('-', ' '),
  })
  return { typed, done: await browser.submit(path, typed, 'device', { answer }) }
}

/** What the log says when alice has answered for a device that asked for everything. */
function settledDevice({ alice }: World) {
  return {
    actor_id: alice.id,
    entity_type: 'User',
    entity_id: String(alice.id),
    details: { client_id: 'parley_cli', scopes: scopesOf('user') },
  }
}

test('a device is let in by whoever types its code', async (t) => {
  const scene = await stage(t)
  const device = await startDevice(scene, { device_name: 'laptop <1>' })
  assert.match(device.user_code, /^[BCDFGHJKLMNPQRSTVWXZ]{4}-[BCDFGHJKLMNPQRSTVWXZ]{4}$/)
  assert.equal(device.verification_uri, `${scene.url}/apps/authorize`)
  const waiting = await poll(scene, device.device_code)
  assert.deepEqual([waiting.status, waiting.body.error], [400, 'authorization_pending'])
  assert.equal((await poll(scene, device.device_code)).body.error, 'slow_down')

  const { typed, done } = await settle(scene, device.user_code, 'approve')
  assert.ok(typed.text.includes('laptop &lt;1&gt;'))
  assert.equal(done.status, 200)
  scene.clock.advance(5000)
  const { status, body } = await poll(scene, device.device_code)
  assert.equal(status, 200)
  assert.equal(body.expires_in, 3600)
  assert.equal(body.scope, scopesOf('user').join(' '))
  const { data } = await infoOf(scene, body.access_token)
  assert.deepEqual([data.user_id, data.name, data.expires_in], [scene.alice.id, 'laptop <1>', 3600])
  scene.clock.advance(5000)
  assert.equal((await poll(scene, device.device_code)).body.error, 'invalid_grant')
  assert.deepEqual(await audit(scene, 'oauth_device_authorization_approved'), [settledDevice(scene)])
  assert.deepEqual(await audit(scene, 'oauth_device_authorization_denied'), [])
})

test('a refused device is told so, an unknown code finds none, and a code ends after ten minutes', async (t) => {
  const scene = await stage(t)
  const device = await startDevice(scene)
  await settle(scene, device.user_code, 'deny')
  assert.equal((await poll(scene, device.device_code)).body.error, 'access_denied')
  assert.deepEqual(await audit(scene, 'oauth_device_authorization_denied'), [settledDevice(scene)])
  assert.deepEqual(await audit(scene, 'oauth_device_authorization_approved'), [])
  assert.equal((await poll(scene, 'nothing')).body.error, 'invalid_grant')

  const browser = await signedIn(scene, '/apps/authorize')
  const page = await browser.visit('/apps/authorize')
  const wrong = await browser.submit('/apps/authorize', page, 'code', { user_code: 'BBBB-BBBB' })
  assert.equal(wrong.status, 400)

  const late = await startDevice(scene)
  scene.clock.advance(600_000)
  assert.equal((await poll(scene, late.device_code)).body.error, 'expired_token')
})

test('only the command line client starts a device login', async (t) => {
  const scene = await stage(t)
  const { status, body } = await post(scene, '/oauth/device_authorization', { client_id: 'helper' })
  assert.deepEqual([status, body.error], [401, 'invalid_client'])
  const grant_type = 'urn:ietf:params:oauth:grant-type:device_code'
  const foreign = await post(scene, '/oauth/token', { grant_type, client_id: 'helper', device_code: 'x' })
  assert.deepEqual([foreign.status, foreign.body.error], [401, 'invalid_client'])
})

async function connect(scene: World) {
  const device = await startDevice(scene)
  await settle(scene, device.user_code, 'approve')
  return (await poll(scene, device.device_code)).body as { access_token: string; refresh_token: string }
}

function renew(scene: World, refresh_token: string) {
  return post(scene, '/oauth/token', { grant_type: 'refresh_token', client_id: 'parley_cli', refresh_token })
}

test('a device login lasts an hour, is renewed once by each refresh token, and stays one login', async (t) => {
  const scene = await stage(t)
  const login = await connect(scene)
  const { data: before } = await infoOf(scene, login.access_token)
  scene.clock.advance(3600_000)
  await assert.rejects(infoOf(scene, login.access_token), { status: 401, code: 'invalid_token' })
  const { status, body } = await renew(scene, login.refresh_token)
  assert.equal(status, 200)
  const { data } = await infoOf(scene, body.access_token)
  assert.equal(data.id, before.id)
  const twice = await renew(scene, login.refresh_token)
  assert.deepEqual([twice.status, twice.body.error], [400, 'invalid_grant'])
})

test('the scopes of a device login are frozen when it is confirmed', async (t) => {
  const scene = await stage(t)
  const login = await connect(scene)
  await scene.ctx.db.updateTable('users').set({ role: 'admin' }).where('id', '=', scene.alice.id).execute()
  const { body } = await renew(scene, login.refresh_token)
  assert.equal(body.scope, scopesOf('user').join(' '))
})

test('whoever is suspended renews nothing until he is back', async (t) => {
  const scene = await stage(t)
  const login = await connect(scene)
  const suspend = (suspended: boolean) =>
    scene.ctx.db.updateTable('users').set({ suspended }).where('id', '=', scene.alice.id).execute()
  await suspend(true)
  assert.equal((await renew(scene, login.refresh_token)).body.error, 'invalid_grant')
  await suspend(false)
  assert.equal((await renew(scene, login.refresh_token)).status, 200)
})

test('a device logs out with its own token, and with nothing else', async (t) => {
  const scene = await stage(t)
  const login = await connect(scene)
  const other = await connect(scene)
  const as = (token: string) => ({ Authorization: `Bearer ${token}` })
  const token = login.access_token
  assert.equal((await post(scene, '/oauth/revoke', { token })).status, 401)
  assert.equal((await post(scene, '/oauth/revoke', { token }, as(other.access_token))).status, 403)
  const personal = scene.alice.token
  assert.equal((await post(scene, '/oauth/revoke', { token: personal }, as(personal))).status, 403)
  assert.equal((await post(scene, '/oauth/revoke', {}, as(token))).status, 400)
  assert.equal((await post(scene, '/oauth/revoke', { token }, as(token))).status, 200)
  await assert.rejects(infoOf(scene, token), { status: 401 })
  assert.equal((await renew(scene, login.refresh_token)).status, 400)
  await infoOf(scene, other.access_token)
})

test('a person sees the devices he signed in, and signs one out', async (t) => {
  const scene = await stage(t)
  const device = await startDevice(scene, { device_name: 'laptop' })
  await settle(scene, device.user_code, 'approve')
  const { body: login } = await poll(scene, device.device_code)
  const alice = await scene.as(scene.alice.id, { session: true })
  const bob = await scene.as(scene.bob.id, { session: true })
  const { data } = await alice.call(listDeviceLogins)
  assert.deepEqual(
    data.map(({ device_name }) => device_name),
    ['laptop'],
  )
  assert.deepEqual((await bob.call(listDeviceLogins)).data, [])
  const call = { params: { id: data[0]?.id as number } }
  await assert.rejects(bob.call(endDeviceLogin, call), { status: 404, code: 'not_found' })
  await assert.rejects(scene.alice.call(endDeviceLogin, call), { status: 403, code: 'not_authorized' })
  await alice.call(endDeviceLogin, call)
  await assert.rejects(infoOf(scene, login.access_token), { status: 401 })
  await assert.rejects(alice.call(endDeviceLogin, call), { status: 404 })
})

test('codes that have expired are swept away', async (t) => {
  const scene = await stage(t)
  await codeFor(scene)
  await startDevice(scene)
  scene.clock.advance(2 * 3600_000)
  await scene.drain()
  assert.deepEqual(await scene.ctx.db.selectFrom('oauth_codes').selectAll().execute(), [])
  assert.deepEqual(await scene.ctx.db.selectFrom('device_codes').selectAll().execute(), [])
})

test('the server says where and how people are signed in', async (t) => {
  const { url } = await stage(t)
  const answer = await fetch(`${url}/.well-known/oauth-authorization-server`)
  const metadata = JSON.parse(await answer.text())
  assert.equal(metadata.issuer, url)
  assert.equal(metadata.token_endpoint, `${url}/v1/oauth/token`)
  assert.equal(metadata.authorization_endpoint, `${url}/apps/authorize`)
  assert.deepEqual(metadata.code_challenge_methods_supported, ['S256'])
})
