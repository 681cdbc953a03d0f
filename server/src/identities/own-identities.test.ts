import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import * as api from '@parley/contract'
import { OWNER } from '../testing/cluster.js'
import { type World, world } from '../testing/world.js'
import { connectTo, ensureSignedIn, openBrowser, signInBy, startProvider } from './testing-provider.js'

type Browser = ReturnType<typeof openBrowser>
const { email, password } = OWNER
const NO_WAY_IN = { key: 'provider_id', code: 'invalid' }

/** Calls of the client in a browser, with its cookie. */
async function ask({ url }: World, { visit }: Browser, operation: api.Operation, body?: object, id = 0) {
  const path = operation.path.replace(/\{\w+\}/, String(id))
  const answer = await visit(`${url}/v1${path}`, {
    method: operation.method,
    headers: { 'parley-client': 'web', 'content-type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  })
  const parsed = answer.text ? JSON.parse(answer.text) : {}
  const [fault] = parsed.errors ?? []
  return { status: answer.status, data: parsed.data, fault: fault && { key: fault.key, code: fault.code } }
}

async function setUp(t: TestContext) {
  const scene = await world(t)
  const provider = await startProvider(t, scene)
  await connectTo(scene, provider)
  return {
    ...scene,
    provider,
    /** Goes to the provider as somebody, and says where that ends. */
    async go(browser: Browser, operation: api.Operation, who: string, body: object = {}) {
      provider.next = who
      browser.cookies(new URL(provider.issuer).host).clear()
      const aim = { slug: 'house', to: '/settings/security', ...body }
      const { status, data, fault } = await ask(scene, browser, operation, aim)
      assert.equal(status, 200, JSON.stringify(fault))
      const { url } = await browser.visit(data.url)
      assert.equal(url.pathname, '/settings/security')
      return url.searchParams.get('refused')
    },
    async keys(id: number) {
      const { data } = await scene.owner.call(api.listAuditEvents, { query: { entity_id: String(id) } })
      return data.map(({ event_key }) => event_key).filter((key) => key.startsWith('user_identity'))
    },
  }
}

test('a person with a password links a provider from the settings, and unlinks it', async (t) => {
  const scene = await setUp(t)
  const { owner, provider, go, keys } = scene
  provider.people.set('o', { email: 'elsewhere@example.com', email_verified: false })
  const browser = openBrowser()
  await ask(scene, browser, api.signIn, { email, password, cookie: true })
  const before = (await ask(scene, browser, api.getOwnSignIn)).data
  assert.deepEqual(before, {
    password: true,
    confirmed_until: null,
    identities: [],
    providers: [{ slug: 'house', name: 'House' }],
  })
  const wish = { slug: 'house' }
  const refused = (await ask(scene, browser, api.linkIdentity, wish)).fault
  assert.deepEqual(refused, { key: 'password', code: 'blank' })
  const wrong = (await ask(scene, browser, api.linkIdentity, { ...wish, password: 'wrong' })).fault
  assert.deepEqual(wrong, { key: 'password', code: 'invalid' })
  assert.equal((await ask(scene, browser, api.linkIdentity, { slug: 'none', password })).status, 404)

  assert.equal(await go(browser, api.linkIdentity, 'o', { password }), null)
  assert.equal((await ask(scene, browser, api.linkIdentity, { ...wish, password })).status, 409)
  const { data: after } = await ask(scene, browser, api.getOwnSignIn)
  const [linked] = after.identities
  assert.deepEqual([linked.slug, linked.enabled, after.providers], ['house', true, []])
  const again = ensureSignedIn(await signInBy(scene, provider, 'o'))
  const other = await ask(scene, again.browser, api.getSession)
  assert.equal(other.data.user.id, owner.id)

  const { status } = await ask(scene, browser, api.unlinkIdentity, { password }, linked.provider_id)
  assert.equal(status, 204)
  assert.equal((await ask(scene, again.browser, api.getSession)).status, 401, 'what it opened is over')
  assert.equal((await ask(scene, browser, api.getSession)).status, 200)
  assert.equal((await signInBy(scene, provider, 'o')).refused, 'email_unverified')
  const gone = await ask(scene, browser, api.unlinkIdentity, { password }, linked.provider_id)
  assert.equal(gone.status, 404)
  assert.deepEqual(await keys(owner.id), ['user_identity_unlinked', 'user_identity_linked'])
})

test('an identity is linked to one person, in the session that began it', async (t) => {
  const scene = await setUp(t)
  const { provider, go, keys, owner, url } = scene
  provider.people.set('a', { email: 'alice@example.org', email_verified: true })
  ensureSignedIn(await signInBy(scene, provider, 'a'))
  const browser = openBrowser()
  await ask(scene, browser, api.signIn, { email, password, cookie: true })
  assert.equal(await go(browser, api.linkIdentity, 'a', { password }), 'taken')

  provider.people.set('o', {})
  provider.next = 'o'
  const begun = await ask(scene, browser, api.linkIdentity, { slug: 'house', password })
  const { host } = new URL(url)
  browser.cookies(host).delete('parley_session')
  const back = await browser.visit(begun.data.url)
  assert.equal(back.url.searchParams.get('refused'), 'expired')
  assert.deepEqual(await keys(owner.id), [])
})

test('a person without a password confirms at the provider, and keeps the only way to sign in', async (t) => {
  const scene = await setUp(t)
  const { provider, go, clock } = scene
  provider.people.set('ann', { email: 'ann@example.org', email_verified: true })
  provider.people.set('eve', { email: 'eve@example.org', email_verified: true })
  ensureSignedIn(await signInBy(scene, provider, 'eve'))
  const { browser } = ensureSignedIn(await signInBy(scene, provider, 'ann'))
  const { data } = await ask(scene, browser, api.getOwnSignIn)
  assert.deepEqual([data.password, data.confirmed_until], [false, null])
  const start = () => ask(scene, browser, api.startTotp, {})
  assert.deepEqual((await start()).fault, { key: 'password', code: 'blank' })

  assert.equal(await go(browser, api.confirmByProvider, 'eve'), 'not_you')
  assert.equal((await start()).status, 422)
  assert.equal(await go(browser, api.confirmByProvider, 'ann'), null)
  assert.ok((await ask(scene, browser, api.getOwnSignIn)).data.confirmed_until)
  assert.equal((await start()).status, 201)
  const [{ provider_id }] = data.identities
  const unlink = () => ask(scene, browser, api.unlinkIdentity, {}, provider_id)
  assert.deepEqual((await unlink()).fault, NO_WAY_IN)
  clock.advance(5 * 60_000)
  assert.deepEqual((await start()).fault, { key: 'password', code: 'blank' })
  assert.deepEqual((await unlink()).fault, { key: 'password', code: 'blank' })
})
