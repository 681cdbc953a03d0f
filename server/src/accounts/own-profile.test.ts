import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  getPreferences,
  getProfile,
  getStart,
  setPreferences,
  updateOwnProfile,
  updateWorkspaceSettings,
} from '@parley/contract'
import { world } from '../testing/world.js'

test('people change their own card, and the workspace hears of it', async (t) => {
  const w = await world(t)
  const alice = await w.as(w.alice.id, { session: true })
  const user = {
    first_name: ' Alicia ',
    nickname: 'alix',
    title: 'Cook',
    time_zone: 'Europe/Riga',
    phone_number: '+371 1',
  }
  const { data } = await alice.call(updateOwnProfile, { body: { user } })
  assert.deepEqual(
    [data.first_name, data.nickname, data.title, data.time_zone, data.phone_number],
    ['Alicia', 'alix', 'Cook', 'Europe/Riga', '+371 1'],
  )
  const told = (await w.events()).filter(({ type }) => type === 'company_members.updated')
  assert.deepEqual(told[0]?.payload.user_ids, [w.alice.id])
  const cleared = await alice.call(updateOwnProfile, { body: { user: { time_zone: '', title: '' } } })
  assert.deepEqual([cleared.data.time_zone, cleared.data.title], [null, null])
  await alice.call(updateOwnProfile, { body: { user: {} } })
  assert.equal((await w.alice.call(getProfile)).data.nickname, 'alix')
})

test('a card takes no empty name, no nickname of another and no unknown zone, and role or mail are left alone', async (t) => {
  const w = await world(t)
  const alice = await w.as(w.alice.id, { session: true })
  const change = (user: object) => alice.call(updateOwnProfile, { body: { user } })
  await assert.rejects(change({ first_name: ' ' }), { status: 422, code: 'blank' })
  await assert.rejects(change({ nickname: 'Bob' }), { status: 409, code: 'already_exists' })
  await assert.rejects(change({ nickname: 'all' }), { status: 422, code: 'use_of_system_words' })
  await assert.rejects(change({ time_zone: 'Mars/Base' }), { status: 422, code: 'invalid' })
  const { data } = await change({ role: 'admin', email: 'x@example.org', suspended: true })
  assert.deepEqual([data.role, data.email, data.suspended], ['user', 'alice@example.org', false])
  await assert.rejects(w.bot.call(updateOwnProfile, { body: { user: {} } }), { status: 403 })
})

test('where names are for admins, others change phone and zone alone', async (t) => {
  const w = await world(t)
  const owner = await w.as(w.owner.id, { session: true })
  await owner.call(updateWorkspaceSettings, { body: { own_names: 'admins' } })
  const alice = await w.as(w.alice.id, { session: true })
  for (const user of [{ first_name: 'A' }, { last_name: 'B' }, { nickname: 'c' }, { title: 'D' }])
    await assert.rejects(alice.call(updateOwnProfile, { body: { user } }), {
      status: 403,
      code: 'not_authorized',
    })
  await alice.call(updateOwnProfile, { body: { user: { phone_number: '1', time_zone: 'UTC' } } })
  assert.ok(!(await alice.call(getStart)).data.may.includes('profile.rename'))
  const admin = await w.as(w.admin.id, { session: true })
  assert.ok((await admin.call(getStart)).data.may.includes('profile.rename'))
  await admin.call(updateOwnProfile, { body: { user: { title: 'Chief' } } })
})

test('preferences follow a person, and nobody else hears of them', async (t) => {
  const w = await world(t)
  const [here, there, bob] = [
    await w.as(w.alice.id, { session: true }),
    await w.as(w.alice.id, { session: true }),
    await w.as(w.bob.id, { session: true }),
  ]
  assert.deepEqual((await here.call(getPreferences)).data, {})
  const preferences = { theme: 'dark', favourites: [w.office.id], deep: { a: [null, 1.5] } }
  await here.call(setPreferences, { body: { preferences } })
  assert.deepEqual((await there.call(getPreferences)).data, preferences)
  assert.deepEqual((await bob.call(getPreferences)).data, {})
  const told = (await w.events()).filter(({ type }) => type === 'preferences.changed')
  assert.deepEqual(told[0]?.payload, { user_id: w.alice.id, preferences })
  await here.call(setPreferences, { body: { preferences: {} } })
  assert.deepEqual((await there.call(getPreferences)).data, {})
  const long = { preferences: { text: 'x'.repeat(65 * 1024) } }
  await assert.rejects(here.call(setPreferences, { body: long }), { status: 422, code: 'too_long' })
  await assert.rejects(here.call(setPreferences, { body: {} } as never), { status: 422, code: 'blank' })
})
