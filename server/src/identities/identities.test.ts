import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as api from '@parley/contract'
import { createClient } from '@parley/sdk/contract'
import { OWNER } from '../testing/cluster.js'
import { world } from '../testing/world.js'
import {
  CLIENT,
  connectTo,
  ensureSignedIn,
  openBrowser,
  signInBy,
  startProvider,
} from './testing-provider.js'

const clientOf = (url: string, token: string) => createClient({ base_url: `${url}/v1`, token })

test('a new person signs in through a provider, gets an account, and comes back as the same one', async (t) => {
  const scene = await world(t)
  const provider = await startProvider(t, scene)
  await connectTo(scene, provider)
  const card = { email: 'Ann@example.org', email_verified: true, given_name: 'Ann', family_name: 'Lee' }
  provider.people.set('ann', card)
  const options = await createClient({ base_url: `${scene.url}/v1` }).call(api.getSignInOptions)
  assert.deepEqual(options.data, { password: true, providers: [{ slug: 'house', name: 'House' }] })

  const first = ensureSignedIn(await signInBy(scene, provider, 'ann', '/sign-in/oidc/house?to=/chats/1?a=b'))
  assert.equal(first.url.href, `${scene.url}/chats/1?a=b`)
  const { data } = await clientOf(scene.url, first.token).call(api.getSession)
  assert.deepEqual(
    [data.user.email, data.user.first_name, data.user.last_name],
    ['Ann@example.org', 'Ann', 'Lee'],
  )
  assert.equal(data.role, 'user')

  provider.people.set('ann', { ...card, email: 'ann.lee@example.org', email_verified: false })
  const again = ensureSignedIn(await signInBy(scene, provider, 'ann'))
  assert.equal((await clientOf(scene.url, again.token).call(api.getSession)).data.user.id, data.user.id)
  const { data: log } = await scene.owner.call(api.listAuditEvents, {
    query: { entity_id: String(data.user.id) },
  })
  const keys = log.map(({ event_key }) => event_key)
  assert.deepEqual(keys.toReversed(), ['user_created', 'user_identity_linked', 'user_login', 'user_login'])
  assert.ok((await scene.events()).some(({ type }) => type === 'company_members.confirmed'))
})

test('names that cannot be kept as they are lose what is in the way, and such a mail is none', async (t) => {
  const scene = await world(t)
  const provider = await startProvider(t, scene)
  await connectTo(scene, provider)
  const names = { given_name: 'A\0nn\ud800', family_name: 'é'.repeat(300), preferred_username: 'a\0nn' }
  provider.people.set('ann', { email: 'ann@example.org', email_verified: true, ...names })
  const { token } = ensureSignedIn(await signInBy(scene, provider, 'ann'))
  const { user } = (await clientOf(scene.url, token).call(api.getSession)).data
  assert.deepEqual([user.first_name, user.last_name, user.nickname], ['Ann', 'é'.repeat(255), 'ann'])
  provider.people.set('x', { email: 'alice\0@example.org', email_verified: true })
  assert.equal((await signInBy(scene, provider, 'x')).refused, 'no_email')
})

test('a verified mail links the account that has it; the second subject with that mail is refused', async (t) => {
  const scene = await world(t)
  const provider = await startProvider(t, scene)
  const { session } = await connectTo(scene, provider, {
    create_accounts: false,
    allowed_domains: ['example.org'],
  })
  const { data: invited } = await scene.owner.call(api.createUser, {
    body: { user: { email: 'ida@example.org' } },
  })
  provider.people.set('a', { email: 'ALICE@example.org', email_verified: true })
  provider.people.set('b', { email: 'alice@example.org', email_verified: true })
  provider.people.set('c', { email: 'bob@example.org', email_verified: false })
  provider.people.set('d', { email: 'new@example.org', email_verified: true })
  provider.people.set('e', { email: 'bob@example.com', email_verified: true })
  provider.people.set('f', {})
  provider.people.set('ida', { email: 'ida@example.org', email_verified: true })

  const alice = ensureSignedIn(await signInBy(scene, provider, 'a'))
  assert.equal((await clientOf(scene.url, alice.token).call(api.getSession)).data.user.id, scene.alice.id)
  const refusals = []
  for (const who of ['b', 'c', 'd', 'e', 'f']) refusals.push((await signInBy(scene, provider, who)).refused)
  assert.deepEqual(refusals, ['other_identity', 'email_unverified', 'no_account', 'domain', 'no_email'])
  ensureSignedIn(await signInBy(scene, provider, 'ida'))
  const { data } = await scene.owner.call(api.getUser, { params: { id: invited.id } })
  assert.equal(data.invite_status, 'confirmed')
  assert.equal((await session.call(api.listIdentityProviders)).data[0]?.people, 2)
})

test('groups give a role and tags at every sign-in, and take them away', async (t) => {
  const scene = await world(t)
  const provider = await startProvider(t, scene)
  await connectTo(scene, provider, {
    group_rules: [
      { group: 'ops', role: 'admin', tag: 'Operations' },
      { group: 'design', role: null, tag: 'Design' },
    ],
  })
  const card = { email: 'alice@example.org', email_verified: true }
  await scene.owner.call(api.updateUser, {
    params: { id: scene.alice.id },
    body: { user: { list_tags: ['own'] } },
  })
  const seen = async (groups: unknown) => {
    provider.people.set('a', { ...card, groups })
    ensureSignedIn(await signInBy(scene, provider, 'a'))
    const { data } = await scene.owner.call(api.getUser, { params: { id: scene.alice.id } })
    return [data.role, data.list_tags]
  }
  assert.deepEqual(await seen(['ops', 'design', 'other']), ['admin', ['own', 'Operations', 'Design']])
  assert.deepEqual(await seen(['design']), ['user', ['own', 'Design']])
  assert.deepEqual(await seen(undefined), ['user', ['own']])
})

test('what goes wrong at the provider or on the way back lands on the sign-in page', async (t) => {
  const scene = await world(t)
  const provider = await startProvider(t, scene)
  const { session, provider: kept } = await connectTo(scene, provider)
  provider.people.set('a', { email: 'alice@example.org', email_verified: true })
  const at = async (path: string, browser = openBrowser()) =>
    (await browser.visit(scene.url + path)).url.searchParams.get('refused')
  const refusalOf = async (who: string | { error: string }) => {
    provider.next = who
    return at('/sign-in/oidc/house')
  }
  assert.equal(await refusalOf({ error: 'access_denied' }), 'cancelled')
  assert.equal(await refusalOf({ error: 'temporarily_unavailable' }), 'refused')
  assert.equal(await at('/sign-in/oidc/nothing'), 'unknown_provider')
  assert.equal(await at('/sign-in/oidc/house/callback?code=x&state=y'), 'expired')

  const begun = await fetch(`${scene.url}/sign-in/oidc/house`, { redirect: 'manual' })
  const cookie = begun.headers.getSetCookie()[0]?.split(';')[0] ?? ''
  const asked = new URL(begun.headers.get('location') ?? '').searchParams
  assert.deepEqual(
    [asked.get('code_challenge_method'), asked.get('scope'), asked.get('response_type')],
    ['S256', 'openid email profile groups', 'code'],
  )
  const forged = async (query: string) => {
    const answer = await fetch(`${scene.url}/sign-in/oidc/house/callback?${query}`, {
      redirect: 'manual',
      headers: { cookie },
    })
    return new URL(answer.headers.get('location') ?? '').searchParams.get('refused')
  }
  assert.equal(await forged('code=x&state=y'), 'invalid_answer')
  const iss = encodeURIComponent(provider.issuer)
  assert.equal(await forged(`code=x&state=${asked.get('state')}&iss=${iss}`), 'refused')
  await scene.ctx.db.updateTable('users').set({ suspended: true }).where('id', '=', scene.alice.id).execute()
  assert.equal((await signInBy(scene, provider, 'a')).refused, 'suspended')
  const body = { issuer: 'http://127.0.0.1:1' }
  await session.call(api.updateIdentityProvider, { params: { id: kept.id }, body })
  assert.equal(await at('/sign-in/oidc/house'), 'unreachable')
})

test('the secret never comes back, and a test of the connection names the step that fails', async (t) => {
  const scene = await world(t)
  const provider = await startProvider(t, scene)
  const { session, provider: kept } = await connectTo(scene, provider)
  assert.equal(kept.has_secret, true)
  assert.ok(!JSON.stringify(await session.call(api.listIdentityProviders)).includes(CLIENT.client_secret))
  const params = { id: kept.id }
  const broken = async (body: api.ProviderChange) => {
    await session.call(api.updateIdentityProvider, { params, body })
    const { data } = await session.call(api.tryIdentityProvider, { params })
    const failed = data.find(({ state }) => state === 'failed')
    return failed && [failed.step, failed.code]
  }
  assert.equal(await broken({}), undefined)
  assert.deepEqual(await broken({ client_secret: 'another' }), ['client', 'client_refused'])
  const localhost = provider.issuer.replace('127.0.0.1', 'localhost')
  assert.deepEqual(await broken({ issuer: localhost }), ['issuer', 'issuer_differs'])
  assert.deepEqual(await broken({ issuer: `${provider.issuer}/nothing` }), ['discovery', 'document_missing'])
  assert.deepEqual(await broken({ issuer: 'http://127.0.0.1:1' }), ['address', 'failed'])
  const change = (body: api.ProviderChange) => session.call(api.updateIdentityProvider, { params, body })
  const wrong = { status: 422, code: 'invalid' }
  await assert.rejects(change({ issuer: 'http://id.example.org' }), wrong)
  await assert.rejects(change({ issuer: 'https://10.0.0.7' }), wrong)
  await assert.rejects(change({ allowed_domains: ['example'] }), wrong)
  await assert.rejects(change({ group_rules: [{ group: 'a', role: null, tag: 'all' }] }), {
    code: 'use_of_system_words',
  })
  const again = { slug: 'house', name: 'x', issuer: provider.issuer, client_id: 'x' }
  await assert.rejects(session.call(api.createIdentityProvider, { body: again }), {
    status: 409,
    code: 'already_exists',
  })
})

test('passwords can be turned off once the owner came through a provider, which then stays', async (t) => {
  const scene = await world(t)
  const provider = await startProvider(t, scene)
  const { session, provider: kept } = await connectTo(scene, provider)
  const off = { body: { password_sign_in: 'off' as const } }
  await assert.rejects(session.call(api.updateWorkspaceSettings, off), { status: 422, code: 'invalid' })
  provider.people.set('o', { email: OWNER.email, email_verified: true })
  ensureSignedIn(await signInBy(scene, provider, 'o'))
  const { data: coverage } = await session.call(api.getSignInCoverage)
  assert.deepEqual([coverage.owner_linked, coverage.people - coverage.without_identity], [true, 1])
  assert.equal(coverage.without_second_factor, coverage.people)

  await session.call(api.updateWorkspaceSettings, off)
  const anybody = createClient({ base_url: `${scene.url}/v1` })
  const closed = { status: 403, code: 'not_authorized' }
  const credentials = { email: OWNER.email, password: OWNER.password }
  await assert.rejects(anybody.call(api.signIn, { body: credentials }), closed)
  await assert.rejects(anybody.call(api.beginSecondFactor, { body: credentials }), closed)
  await assert.rejects(anybody.call(api.requestPasswordReset, { body: { email: OWNER.email } }), closed)
  assert.equal((await anybody.call(api.getSignInOptions)).data.password, false)
  const params = { id: kept.id }
  const last = { status: 422, code: 'invalid' }
  await assert.rejects(session.call(api.updateIdentityProvider, { params, body: { enabled: false } }), last)
  await assert.rejects(session.call(api.deleteIdentityProvider, { params }), last)
  ensureSignedIn(await signInBy(scene, provider, 'o'))

  await session.call(api.updateWorkspaceSettings, { body: { password_sign_in: 'on' } })
  await anybody.call(api.signIn, { body: credentials })
  const query = { event_key: 'password_sign_in_changed' as const }
  assert.equal((await scene.owner.call(api.listAuditEvents, { query })).data.length, 2)
})

test('a sign-in through a provider needs no second factor of ours', async (t) => {
  const scene = await world(t)
  const provider = await startProvider(t, scene)
  const { session } = await connectTo(scene, provider)
  provider.people.set('a', { email: 'alice@example.org', email_verified: true })
  await session.call(api.updateWorkspaceSettings, { body: { second_factor: 'required' } })
  const { token } = ensureSignedIn(await signInBy(scene, provider, 'a'))
  const alice = clientOf(scene.url, token)
  assert.equal((await alice.call(api.getSession)).data.second_factor_missing, false)
  await alice.call(api.getStart)
})

test('signing out there ends the sessions here, and removing the provider ends the rest', async (t) => {
  const scene = await world(t)
  const provider = await startProvider(t, scene)
  const { session, provider: kept } = await connectTo(scene, provider)
  provider.people.set('a', { email: 'alice@example.org', email_verified: true })
  const gone = { status: 401 }
  const { browser, token } = ensureSignedIn(await signInBy(scene, provider, 'a'))
  const other = ensureSignedIn(await signInBy(scene, provider, 'a'))
  const alice = clientOf(scene.url, token)
  const { data } = await alice.call(api.getSessionProvider)
  assert.equal(data?.name, 'House')
  const page = await browser.visit(data?.sign_out_url ?? '')
  const [, action = '', xsrf = ''] = /action="([^"]+)".*value="([^"]+)"/s.exec(page.text) ?? []
  const answer = { method: 'POST', body: new URLSearchParams({ xsrf, logout: 'yes' }) }
  const { url } = await browser.visit(action, answer)
  assert.equal(url.href, `${scene.url}/sign-in`)
  await assert.rejects(alice.call(api.getSession), gone)
  await clientOf(scene.url, other.token).call(api.getSession)

  const forged = await fetch(kept.logout_uri, {
    method: 'POST',
    body: new URLSearchParams({ logout_token: 'a.b.c' }),
  })
  assert.equal(forged.status, 400)
  await session.call(api.deleteIdentityProvider, { params: { id: kept.id } })
  await assert.rejects(clientOf(scene.url, other.token).call(api.getSession), gone)
  assert.equal((await scene.alice.call(api.getProfile)).data.id, scene.alice.id)
})
