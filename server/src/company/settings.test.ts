import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  getSession,
  getUser,
  getWorkspaceSettings,
  listCompanyChats,
  updateWorkspaceSettings,
  type WorkspaceSettings,
} from '@parley/contract'
import { world } from '../testing/world.js'

test('the owner reads and changes the settings, and only those passed', async (t) => {
  const { owner, as, events } = await world(t)
  const session = await as(owner.id, { session: true })
  const before = (await session.call(getWorkspaceSettings)).data
  const { webhook_secret, ...rest } = before
  assert.match(webhook_secret, /^whsec_/)
  assert.deepEqual(rest, {
    name: 'Parley',
    time_zone: 'UTC',
    plan: 'corporation',
    integrations: 'all',
    personal_tokens: 'all',
    own_names: 'all',
    show_personal_data: true,
    perimeter: [],
    licenses: null,
    removed_members_keep_threads: false,
    second_factor: 'optional',
    password_sign_in: 'on',
  })
  const change = {
    name: 'Acme',
    time_zone: 'Europe/Oslo',
    perimeter: ['10.0.0.0/8', '2001:db8::/32', '192.0.2.7'],
    licenses: 40,
  }
  const { data } = await session.call(updateWorkspaceSettings, { body: change })
  assert.deepEqual(data, { ...before, ...change })
  assert.deepEqual((await session.call(getWorkspaceSettings)).data, data)
  assert.equal((await session.call(getSession)).data.workspace.name, 'Acme')
  assert.ok((await events()).some(({ type }) => type === 'workspace.updated'))
  const free = await session.call(updateWorkspaceSettings, { body: { licenses: null } })
  assert.equal(free.data.licenses, null)
})

test('settings are checked', async (t) => {
  const { owner, as } = await world(t)
  const session = await as(owner.id, { session: true })
  const change = (body: Record<string, unknown>) =>
    session.call(updateWorkspaceSettings, { body: body as Partial<WorkspaceSettings> })
  await assert.rejects(change({ name: ' ' }), { status: 422, code: 'blank' })
  await assert.rejects(change({ time_zone: 'Mars/Base' }), { status: 422, code: 'invalid' })
  await assert.rejects(change({ perimeter: ['10.0.0.0/99'] }), { status: 422, code: 'invalid' })
  await assert.rejects(change({ perimeter: ['office'] }), { status: 422, code: 'invalid' })
  // The library reads these as addresses; nobody would be inside.
  for (const short of ['10', '10.1', '0x7f', '10/8'])
    await assert.rejects(change({ perimeter: [short] }), { status: 422, code: 'invalid' }, short)
  await assert.rejects(change({ licenses: 0 }), { status: 422, code: 'invalid' })
  await assert.rejects(change({ plan: 'gold' }), { status: 400, code: 'inclusion' })
  await assert.rejects(change({ integrations: 'nobody' }), { status: 400, code: 'inclusion' })
})

test('settings are for the owner alone', async (t) => {
  const { owner, admin, as } = await world(t)
  const closed = { status: 403, code: 'not_authorized' }
  for (const person of [owner, await as(admin.id, { session: true })]) {
    await assert.rejects(person.call(getWorkspaceSettings), closed)
    await assert.rejects(person.call(updateWorkspaceSettings, { body: {} }), closed)
  }
})

test('a changed plan and a hidden mail hold at the next request', async (t) => {
  const { owner, alice, bob, as } = await world(t)
  const session = await as(owner.id, { session: true })
  await owner.call(listCompanyChats)
  await session.call(updateWorkspaceSettings, { body: { plan: 'standard', show_personal_data: false } })
  await assert.rejects(owner.call(listCompanyChats), { status: 403, code: 'not_authorized' })
  const { data } = await alice.call(getUser, { params: { id: bob.id } })
  assert.equal(data.email, null)
})
