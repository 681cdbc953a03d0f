import assert from 'node:assert/strict'
import { test } from 'node:test'
import { endDeviceLogin, listDeviceLogins } from '@parley/contract'
import { scopesOf } from '../oauth/tokens.js'
import type { World } from '../testing/world.js'
import {
  audit,
  codeFor,
  infoOf,
  poll,
  post,
  settle,
  settledDevice,
  signedIn,
  stage,
  startDevice,
} from './testing-flows.js'

test('a device is let in by whoever types its code', async (t) => {
  const scene = await stage(t)
  scene.clock.freeze(true)
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
