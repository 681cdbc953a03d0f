import assert from 'node:assert/strict'
import { test } from 'node:test'
import { world } from '../../testing/world.js'

const ORIGIN = 'https://app.example.org'

test('a client on the origin of PARLEY_APP_URL calls with a token, and no other origin does', async (t) => {
  const { url, alice } = await world(t, { env: { PARLEY_APP_URL: `${ORIGIN}/client` } })
  const ask = (origin: string, method: string) => {
    const asked = {
      'Access-Control-Request-Method': 'GET',
      'Access-Control-Request-Headers': 'authorization',
    }
    const headers = {
      Origin: origin,
      Authorization: `Bearer ${alice.token}`,
      ...(method === 'OPTIONS' && asked),
    }
    return fetch(`${url}/v1/profile`, { method, headers })
  }
  const preflight = await ask(ORIGIN, 'OPTIONS')
  assert.equal(preflight.status, 204)
  assert.equal(preflight.headers.get('access-control-allow-origin'), ORIGIN)
  assert.match(preflight.headers.get('access-control-allow-headers') ?? '', /Authorization/)
  assert.equal(preflight.headers.get('access-control-allow-credentials'), null)
  const answer = await ask(ORIGIN, 'GET')
  assert.deepEqual([answer.status, answer.headers.get('access-control-allow-origin')], [200, ORIGIN])
  const foreign = await ask('https://elsewhere.example.org', 'OPTIONS')
  assert.deepEqual([foreign.status, foreign.headers.get('access-control-allow-origin')], [404, null])
})

test('without another origin nothing is allowed', async (t) => {
  const { url } = await world(t)
  const answer = await fetch(`${url}/v1/profile`, { method: 'OPTIONS', headers: { Origin: ORIGIN } })
  assert.deepEqual([answer.status, answer.headers.get('access-control-allow-origin')], [404, null])
})
