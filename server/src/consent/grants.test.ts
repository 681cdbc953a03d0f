import assert from 'node:assert/strict'
import { test } from 'node:test'
import { listGrants, revokeGrant, updateUser } from '@parley/contract'
import { revokeGrants } from '../oauth/grants.js'
import { transaction } from '../platform/db/transaction.js'
import { openBrowser } from '../testing/browser.js'
import { audit, codeFor, exchange, infoOf, linkOf, post, SECRET, stage, withSecret } from './testing-flows.js'

test('a refresh token of a grant works once, gives a new token and ends the old one', async (t) => {
  const scene = await stage(t)
  const first = await exchange(scene, withSecret({ code: await codeFor(scene) }))
  const fields = { grant_type: 'refresh_token', refresh_token: first.body.refresh_token }
  const renewed = await post(scene, '/oauth/token', withSecret({ ...fields, client_id: 'helper' }))
  assert.notEqual(renewed.body.access_token, first.body.access_token)
  assert.equal(renewed.body.expires_in, 3600)
  await assert.rejects(infoOf(scene, first.body.access_token), { status: 401 })
  const stolen = { grant_type: 'refresh_token', refresh_token: renewed.body.refresh_token }
  const foreign = await post(scene, '/oauth/token', { ...stolen, client_id: 'parley_cli' })
  assert.deepEqual([foreign.status, foreign.body.error], [400, 'invalid_grant'])
  await infoOf(scene, renewed.body.access_token)
  scene.clock.advance(3_601_000)
  await assert.rejects(infoOf(scene, renewed.body.access_token), { status: 401 })
  const again = await post(scene, '/oauth/token', withSecret({ ...stolen, client_id: 'helper' }))
  await infoOf(scene, again.body.access_token)
})

test('a refresh token that is used twice ends everything that came of it', async (t) => {
  const scene = await stage(t)
  const first = await exchange(scene, withSecret({ code: await codeFor(scene) }))
  const refresh = (refresh_token: string) =>
    post(
      scene,
      '/oauth/token',
      withSecret({ grant_type: 'refresh_token', client_id: 'helper', refresh_token }),
    )
  const renewed = await refresh(first.body.refresh_token)
  const twice = await refresh(first.body.refresh_token)
  assert.deepEqual([twice.status, twice.body.error], [400, 'invalid_grant'])
  await assert.rejects(infoOf(scene, renewed.body.access_token), { status: 401 })
  assert.equal((await refresh(renewed.body.refresh_token)).status, 400)
  assert.equal((await audit(scene, 'oauth_authorization_revoked')).length, 1)
})

test('while a bot is suspended nobody signs in to it, and what people granted it does nothing', async (t) => {
  const scene = await stage(t)
  const { owner, bot } = scene
  const { body } = await exchange(scene, withSecret({ code: await codeFor(scene) }))
  const unused = await codeFor(scene)
  const { refresh_token } = body
  const refresh = () =>
    post(
      scene,
      '/oauth/token',
      withSecret({ grant_type: 'refresh_token', client_id: 'helper', refresh_token }),
    )
  const suspend = (suspended: boolean) =>
    owner.call(updateUser, { params: { id: bot.id }, body: { user: { suspended } } })
  await suspend(true)
  await assert.rejects(infoOf(scene, body.access_token), { status: 403 })
  assert.equal((await refresh()).status, 401)
  assert.equal((await exchange(scene, withSecret({ code: unused }))).status, 401)
  assert.equal((await openBrowser(scene.url).visit(linkOf())).status, 400)
  await suspend(false)
  await infoOf(scene, body.access_token)
  assert.equal((await refresh()).status, 200)
})

test('a code that is used twice ends the token of its first use', async (t) => {
  const scene = await stage(t)
  const code = await codeFor(scene)
  const first = await exchange(scene, withSecret({ code }))
  await infoOf(scene, first.body.access_token)
  const twice = await exchange(scene, withSecret({ code }))
  assert.deepEqual([twice.status, twice.body.error], [400, 'invalid_grant'])
  await assert.rejects(infoOf(scene, first.body.access_token), { status: 401 })
  const fresh = await exchange(scene, withSecret({ code: await codeFor(scene) }))
  await infoOf(scene, fresh.body.access_token)
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
