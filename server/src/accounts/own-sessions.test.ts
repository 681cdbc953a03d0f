import assert from 'node:assert/strict'
import { test } from 'node:test'
import { endOtherSessions, endOwnSession, getSession, listOwnSessions, signIn } from '@parley/contract'
import { createClient } from '@parley/sdk/contract'
import { OWNER } from '../testing/cluster.js'
import { type World, world } from '../testing/world.js'
import { deviceOf } from './own-sessions.js'

const DAY_MS = 24 * 3_600_000
const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0'

const account = { email: 'owner@parley.local', password: OWNER.password }

async function enter({ url }: World) {
  const { data } = await createClient({ base_url: `${url}/v1` }).call(signIn, { body: account })
  return createClient({ base_url: `${url}/v1`, token: data.token })
}

test('own sessions are listed with device and address, newest first, and other tokens are not', async (t) => {
  const stage = await world(t)
  await fetch(`${stage.url}/v1/sessions`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'User-Agent': FIREFOX },
    body: JSON.stringify(account),
  })
  const mine = await enter(stage)
  const { data } = await mine.call(listOwnSessions)
  assert.deepEqual(
    data.map(({ device, address, current }) => [device, address, current]),
    [
      [null, '127.0.0.1', true],
      ['Firefox on Linux', '127.0.0.1', false],
    ],
  )
  assert.ok(data[0]?.last_used_at)
  assert.equal(data[1]?.last_used_at, null)
  await assert.rejects(stage.owner.call(listOwnSessions), { status: 403, code: 'not_authorized' })
})

test('a session is renewed by use and ends after thirty days without it', async (t) => {
  const stage = await world(t)
  const session = await enter(stage)
  for (let turn = 0; turn < 3; turn += 1) {
    stage.clock.advance(20 * DAY_MS)
    await session.call(getSession)
  }
  const { data } = await session.call(getSession)
  const left_ms = Date.parse(data.expires_at ?? '') - stage.clock.now()
  assert.ok(left_ms > 30 * DAY_MS - 60_000 && left_ms <= 30 * DAY_MS)
  stage.clock.advance(30 * DAY_MS + 1000)
  await assert.rejects(session.call(getSession), { status: 401, code: 'invalid_token' })
})

test('a session that another process renewed goes on here', async (t) => {
  const stage = await world(t)
  const session = await enter(stage)
  await session.call(getSession)
  stage.clock.advance(31 * DAY_MS)
  const expires_at = new Date(stage.clock.now() + DAY_MS)
  await stage.ctx.db.updateTable('tokens').set({ expires_at }).where('kind', '=', 'session').execute()
  await session.call(getSession)
})

test('one session is ended by itself, all others together, and those of other people never', async (t) => {
  const stage = await world(t)
  const [mine, second, third] = [await enter(stage), await enter(stage), await enter(stage)]
  const foreign = await stage.as(stage.alice.id, { session: true })
  const ids = (await mine.call(listOwnSessions)).data.map(({ id }) => id)
  await mine.call(endOwnSession, { params: { id: ids[0] as number } })
  await assert.rejects(third.call(getSession), { status: 401 })
  await second.call(getSession)
  await mine.call(endOtherSessions)
  await assert.rejects(second.call(getSession), { status: 401 })
  await mine.call(getSession)
  const [theirs] = (await foreign.call(listOwnSessions)).data
  const refused = mine.call(endOwnSession, { params: { id: theirs?.id as number } })
  await assert.rejects(refused, { status: 404, code: 'not_found' })
  await foreign.call(getSession)
})

test('a device is named by browser and system, as far as they are told', () => {
  assert.equal(deviceOf(null), null)
  assert.equal(deviceOf('node'), null)
  assert.equal(deviceOf(FIREFOX), 'Firefox on Linux')
  const safari =
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1'
  assert.equal(deviceOf(safari), 'Safari on iOS')
})
