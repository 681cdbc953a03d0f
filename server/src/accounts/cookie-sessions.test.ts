import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { openBrowser } from '../testing/browser.js'
import { OWNER } from '../testing/cluster.js'
import { world } from '../testing/world.js'

const OWN_PAGE = { 'Sec-Fetch-Site': 'same-origin' }
const OWN_WRITE = { ...OWN_PAGE, 'Parley-Client': 'web' }
const JSON_TYPE = { 'Content-Type': 'application/json' }

function posting(body: object, headers: Record<string, string> = OWN_WRITE) {
  return { method: 'POST', headers: { ...JSON_TYPE, ...headers }, body: JSON.stringify(body) }
}

/** A browser in which the owner has signed in with the client. */
async function signedIn(t: TestContext, env: Record<string, string> = {}) {
  const stage = await world(t, { env })
  const browser = openBrowser(stage.url)
  const body = { email: 'owner@parley.local', password: OWNER.password, cookie: true }
  const answer = await browser.visit('/v1/sessions', posting(body))
  assert.equal(answer.status, 201)
  return { stage, browser, answer }
}

test('a browser signs in with a cookie that scripts cannot read, and gets no token', async (t) => {
  const { stage, browser, answer } = await signedIn(t)
  assert.deepEqual(Object.keys(JSON.parse(answer.text).data).sort(), ['expires_at', 'user'])
  const [cookie = ''] = answer.headers.getSetCookie()
  assert.match(cookie, /^parley_session=[\w-]{43}; Max-Age=34560000; Path=\/; HttpOnly; SameSite=Lax$/)
  const me = await browser.visit('/v1/sessions/current', { headers: OWN_PAGE })
  assert.equal(JSON.parse(me.text).data.user.id, stage.owner.id)
  assert.equal(me.headers.get('cache-control'), 'no-store')
})

test('over https the cookie is sent over https alone', async (t) => {
  const { answer } = await signedIn(t, { PARLEY_PUBLIC_URL: 'https://chat.example.org' })
  assert.match(answer.headers.getSetCookie()[0] ?? '', /; Secure/)
})

test('an invitation can be accepted with a cookie as well', async (t) => {
  const stage = await world(t)
  const invite = posting(
    { user: { email: 'nora@example.org' }, skip_email_notify: true },
    { Authorization: `Bearer ${stage.admin.token}` },
  )
  const { id } = JSON.parse((await openBrowser(stage.url).visit('/v1/users', invite)).text).data
  const admin = await stage.as(stage.admin.id, { session: true })
  const link = await openBrowser(stage.url).visit(`/v1/users/${id}/invite`, {
    headers: { Authorization: `Bearer ${admin.token}` },
  })
  const token = JSON.parse(link.text).data.url.split('/').at(-1)
  const browser = openBrowser(stage.url)
  const accepted = await browser.visit(
    `/v1/invites/${token}/accept`,
    posting({ first_name: 'Nora', password: 'correct horse', cookie: true }),
  )
  assert.equal(JSON.parse(accepted.text).data.token, undefined)
  const me = await browser.visit('/v1/sessions/current', { headers: OWN_PAGE })
  assert.equal(JSON.parse(me.text).data.user.id, id)
})

test('only pages of this origin may use the cookie', async (t) => {
  const { stage, browser } = await signedIn(t)
  const read = async (headers: Record<string, string>) =>
    (await browser.visit('/v1/sessions/current', { headers })).status
  const { origin } = new URL(stage.ctx.config.public_url)
  const cases: [Record<string, string>, number][] = [
    [{ 'Sec-Fetch-Site': 'same-origin' }, 200],
    [{ 'Sec-Fetch-Site': 'none' }, 200],
    [{ Origin: origin }, 200],
    [{ Referer: `${stage.url}/chats/1` }, 200],
    [{}, 401],
    [{ 'Sec-Fetch-Site': 'same-site' }, 401],
    [{ 'Sec-Fetch-Site': 'cross-site' }, 401],
    [{ 'Sec-Fetch-Site': 'cross-site', Origin: origin }, 401],
    [{ Origin: 'https://elsewhere.example.org' }, 401],
    [{ Origin: 'null' }, 401],
    [{ Referer: 'https://elsewhere.example.org/' }, 401],
  ]
  for (const [headers, status] of cases)
    assert.equal(await read({ ...headers }), status, JSON.stringify(headers))
})

test('a write with the cookie needs the header that no form can send', async (t) => {
  const { browser } = await signedIn(t)
  const write = async (headers: Record<string, string>) =>
    (await browser.visit('/v1/chats', posting({ chat: { name: 'x' } }, headers))).status
  assert.equal(await write(OWN_PAGE), 401)
  assert.equal(await write({ 'Parley-Client': 'web' }), 401)
  assert.equal(await write({ ...OWN_WRITE, 'Parley-Client': 'form' }), 401)
  assert.equal(await write({ 'Parley-Client': 'web', 'Sec-Fetch-Site': 'none' }), 401)
  assert.equal(await write({ 'Parley-Client': 'web', 'Sec-Fetch-Site': 'cross-site' }), 401)
  assert.equal(await write(OWN_WRITE), 201)
})

test('a write that names whom it is for is refused where somebody else has signed in', async (t) => {
  const { stage, browser } = await signedIn(t)
  const write = async (user_id: number) => {
    const headers = { ...OWN_WRITE, 'Parley-User': String(user_id) }
    return (await browser.visit('/v1/chats', posting({ chat: { name: 'x' } }, headers))).status
  }
  assert.equal(await write(stage.alice.id), 401)
  assert.equal(await write(stage.owner.id), 201)
})

test('a bearer token goes before the cookie, and other tokens do nothing in one', async (t) => {
  const { stage, browser } = await signedIn(t)
  const headers = { ...OWN_PAGE, Authorization: `Bearer ${stage.alice.token}` }
  const profile = await browser.visit('/v1/profile', { headers })
  assert.equal(JSON.parse(profile.text).data.id, stage.alice.id)
  browser.jar.set('parley_session', stage.alice.token)
  const refused = await browser.visit('/v1/profile', { headers: OWN_PAGE })
  assert.equal(refused.status, 401)
})

test('signing out clears the cookie and ends the session', async (t) => {
  const { browser } = await signedIn(t)
  const token = browser.jar.get('parley_session') as string
  const out = await browser.visit('/v1/sessions/current', { method: 'DELETE', headers: OWN_WRITE })
  assert.equal(out.status, 204)
  assert.ok(!browser.jar.has('parley_session'))
  browser.jar.set('parley_session', token)
  assert.equal((await browser.visit('/v1/sessions/current', { headers: OWN_PAGE })).status, 401)
})

test('who is signed in with the client is signed in on the consent page, and the other way round', async (t) => {
  const { stage, browser } = await signedIn(t)
  const device = await browser.visit('/apps/authorize')
  assert.match(device.text, /signed in as owner@parley\.local/)
  const out = await browser.submit('/apps/authorize', device, 'sign-out')
  assert.equal(out.status, 303)
  assert.equal((await browser.visit('/v1/sessions/current', { headers: OWN_PAGE })).status, 401)
  const door = await browser.visit('/apps/authorize')
  const given = { email: 'owner@parley.local', password: OWNER.password }
  await browser.submit('/apps/authorize', door, 'sign-in', given)
  const me = await browser.visit('/v1/sessions/current', { headers: OWN_PAGE })
  assert.equal(JSON.parse(me.text).data.user.id, stage.owner.id)
})

test('the live stream opens with the cookie alone', async (t) => {
  const { stage, browser } = await signedIn(t)
  const cookie = `parley_session=${browser.jar.get('parley_session')}`
  const stream = await fetch(`${stage.url}/v1/live`, { headers: { ...OWN_PAGE, cookie } })
  assert.equal(stream.headers.get('cache-control'), 'no-store')
  const reader = stream.body?.getReader()
  const { value } = (await reader?.read()) ?? {}
  assert.match(new TextDecoder().decode(value), /event: ready/)
  await reader?.cancel()
})
