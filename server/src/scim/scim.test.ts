import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import * as api from '@parley/contract'
import { listenLive } from '../live/testing-live.js'
import { world } from '../testing/world.js'
import { applyPatch } from './patch.js'

const USER = 'urn:ietf:params:scim:schemas:core:2.0:User'
const ENTERPRISE = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User'
const PATCH = 'urn:ietf:params:scim:api:messages:2.0:PatchOp'

// biome-ignore lint/suspicious/noExplicitAny: answers are read as the provider reads them.
type Body = any

async function stage(t: TestContext) {
  const scene = await world(t)
  const session = await scene.as(scene.owner.id, { session: true })
  const { data } = await session.call(api.createScimToken, { body: { name: 'directory' } })
  const send = async (method: string, path: string, body?: unknown, token = data.token) => {
    const answer = await fetch(data.base_url + path, {
      method,
      headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/scim+json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const text = await answer.text()
    return { status: answer.status, body: (text ? JSON.parse(text) : null) as Body, headers: answer.headers }
  }
  const patch = (path: string, ...Operations: object[]) =>
    send('PATCH', path, { schemas: [PATCH], Operations })
  const find = (kind: string, filter: string) => send('GET', `/${kind}?filter=${encodeURIComponent(filter)}`)
  return { ...scene, session, token: data, send, patch, find }
}

const ANN = {
  schemas: [USER, ENTERPRISE],
  externalId: '00u1',
  userName: 'ann@example.org',
  name: { givenName: 'Ann', familyName: 'Lee' },
  emails: [{ primary: true, value: 'ann@example.org', type: 'work' }],
  active: true,
  [ENTERPRISE]: { department: 'Ops' },
}

test('a provider finds nobody, creates, finds, changes by PUT and deactivates, as the first large one does', async (t) => {
  const { find, send, patch, owner } = await stage(t)
  const none = await find('Users', 'userName eq "ann@example.org"')
  assert.deepEqual([none.status, none.body.totalResults, none.body.Resources], [200, 0, []])
  const made = await send('POST', '/Users', ANN)
  assert.equal(made.status, 201)
  assert.match(made.headers.get('content-type') ?? '', /^application\/scim\+json/)
  const { id, meta } = made.body
  assert.deepEqual([meta.resourceType, new URL(meta.location).pathname], ['User', `/scim/v2/Users/${id}`])
  assert.equal(made.body[ENTERPRISE].department, 'Ops')
  assert.equal((await send('POST', '/Users', ANN)).body.scimType, 'uniqueness')

  for (const filter of [
    'userName eq "ANN@example.org"',
    'externalId eq "00u1" and active eq true',
    'emails[type eq "work" and value eq "ann@example.org"]',
  ])
    assert.deepEqual(
      (await find('Users', filter)).body.Resources.map((user: Body) => user.id),
      [id],
      filter,
    )
  const put = await send('PUT', `/Users/${id}`, {
    ...ANN,
    title: 'Lead',
    name: { givenName: 'Anna', familyName: 'Lee' },
  })
  assert.deepEqual([put.status, put.body.name.givenName, put.body.title], [200, 'Anna', 'Lead'])
  const off = await patch(`/Users/${id}`, { op: 'replace', value: { active: false } })
  assert.deepEqual([off.status, off.body.active], [200, false])
  assert.equal((await owner.call(api.getUser, { params: { id: Number(id) } })).data.suspended, true)
})

test('PATCH takes paths, texts for booleans and dotted names, as the second large provider sends them', async (t) => {
  const { send, patch } = await stage(t)
  const { id } = (await send('POST', '/Users', ANN)).body
  const changed = await patch(
    `/Users/${id}`,
    { op: 'Replace', path: 'active', value: 'False' },
    { op: 'Add', path: 'phoneNumbers[type eq "work"].value', value: '+47 1' },
    { op: 'Replace', path: 'emails[type eq "work"].value', value: 'a.lee@example.org' },
    { op: 'Add', path: `${ENTERPRISE}:department`, value: 'Sales' },
    { op: 'Replace', value: { 'name.familyName': 'Li', externalId: 'x-9' } },
  )
  assert.equal(changed.status, 200, JSON.stringify(changed.body))
  const { active, phoneNumbers, emails, name, externalId } = changed.body
  assert.deepEqual([active, phoneNumbers[0].value, emails[0].value], [false, '+47 1', 'a.lee@example.org'])
  assert.deepEqual([name.familyName, externalId, changed.body[ENTERPRISE].department], ['Li', 'x-9', 'Sales'])
  const back = await patch(
    `/Users/${id}`,
    { op: 'Replace', path: 'active', value: 'True' },
    { op: 'Remove', path: 'title' },
  )
  assert.equal(back.body.active, true)
  for (const path of ['__proto__.polluted', 'name.constructor.x'])
    assert.equal(
      (await patch(`/Users/${id}`, { op: 'add', path, value: 'yes' })).body.scimType,
      'invalidPath',
    )
  assert.equal(({} as Body).polluted, undefined)
})

test('groups are tags: members come, go one by one, and go with the group', async (t) => {
  const { send, patch, find, alice, bob, owner, events } = await stage(t)
  const tagsOf = async (id: number) => (await owner.call(api.getUser, { params: { id } })).data.list_tags
  const made = await send('POST', '/Groups', {
    displayName: 'Ops',
    externalId: 'g1',
    members: [{ value: String(alice.id) }],
  })
  assert.deepEqual([made.status, made.body.members[0].display], [201, 'Alice'])
  const path = `/Groups/${made.body.id}`
  assert.deepEqual(await tagsOf(alice.id), ['Ops'])
  assert.equal((await send('POST', '/Groups', { displayName: 'ops' })).body.scimType, 'uniqueness')
  assert.equal((await find('Groups', 'displayName eq "OPS"')).body.totalResults, 1)
  assert.equal((await send('GET', `${path}?excludedAttributes=members`)).body.members, undefined)

  await patch(path, { op: 'Add', path: 'members', value: [{ $ref: null, value: String(bob.id) }] })
  await patch(path, { op: 'remove', path: `members[value eq "${alice.id}"]` })
  assert.deepEqual([await tagsOf(alice.id), await tagsOf(bob.id)], [[], ['Ops']])
  await patch(path, { op: 'Remove', path: 'members', value: [{ $ref: null, value: String(bob.id) }] })
  assert.deepEqual(await tagsOf(bob.id), [])
  const renamed = await patch(path, { op: 'replace', value: { id: made.body.id, displayName: 'Operations' } })
  assert.equal(renamed.body.displayName, 'Operations')
  await send('PUT', path, { displayName: 'Operations', members: [{ value: String(bob.id) }] })
  assert.deepEqual(await tagsOf(bob.id), ['Operations'])
  assert.equal(
    (await patch(path, { op: 'add', path: 'members', value: [{ value: '999999' }] })).body.scimType,
    'invalidValue',
  )
  assert.equal((await send('DELETE', path)).status, 204)
  assert.deepEqual([await tagsOf(bob.id), (await send('GET', path)).status], [[], 404])
  const changed = (await events()).filter(({ type }) => type === 'company_members.updated')
  assert.deepEqual(
    changed.map(({ payload }) => (payload as { user_ids: number[] }).user_ids),
    [alice, bob, alice, bob, bob].map(({ id }) => [id]),
  )
})

test('operations, filters and texts that make no sense are refused, and so is what would take long', async (t) => {
  const { send, patch, alice } = await stage(t)
  const person = `/Users/${alice.id}`
  const add = (path: string | undefined, value: unknown) => patch(person, { op: 'add', path, value })
  const wrong: [string, Promise<{ status: number; body: Body }>][] = [
    ['invalidPath', add('name.givenName.x', 1)],
    ['invalidPath', add('name', null)],
    ['invalidPath', add('active.x', true)],
    ['invalidPath', add('emails[type eq "[]"].value', 'x')],
    ['invalidPath', add('a.'.repeat(10_000), 1)],
    ['invalidPath', add(undefined, { ['a.'.repeat(10_000)]: 1 })],
    ['invalidValue', send('POST', '/Groups', { displayName: 'x\ud800' })],
    ['invalidFilter', send('GET', '/Users?filter=%00')],
    ['invalidFilter', send('GET', '/Users?filter=%ff')],
  ]
  for (const [scimType, sent] of wrong) {
    const { status, body } = await sent
    assert.deepEqual([status, body.scimType], [400, scimType], JSON.stringify(body))
  }
  assert.equal((await send('GET', '/Users?count=%f0%9f')).status, 200)
  const types = encodeURIComponent('emails[type eq "work" and primary eq true]')
  assert.equal((await send('GET', `/Users?filter=${types}`)).status, 200)
})

test('a PATCH adds and takes away many members at once', () => {
  const from = (first: number) =>
    Array.from({ length: 20_000 }, (_, index) => ({ value: String(first + index) }))
  const Operations = [
    { op: 'add', path: 'members', value: from(10_000) },
    ...from(40_000).map((member) => ({ op: 'Add', path: 'members', value: [member] })),
    { op: 'remove', path: 'members', value: from(0) },
  ]
  const began = performance.now()
  const { members } = applyPatch({ members: from(0) }, { schemas: [PATCH], Operations })
  assert.deepEqual(members, [...from(20_000).slice(0, 10_000), ...from(40_000)])
  assert.ok(performance.now() - began < 5_000)
})

test('names of attributes, schemas and operators have no case', async (t) => {
  const { find, send } = await stage(t)
  const made = await send('POST', '/Users', {
    Schemas: [USER],
    USERNAME: 'ann@example.org',
    Name: { GivenName: 'Ann', FAMILYNAME: 'Lee' },
    Emails: [{ Value: 'x@example.org' }, { VALUE: 'ann@example.org', Primary: true }],
    [ENTERPRISE.toUpperCase()]: { Department: 'Ops' },
  })
  const { id, name, emails } = made.body
  assert.deepEqual([name.givenName, name.familyName, emails[0].value], ['Ann', 'Lee', 'ann@example.org'])
  assert.equal(made.body[ENTERPRISE].department, 'Ops')
  for (const filter of [
    'USERNAME EQ "Ann@example.org" AND Active Eq True',
    `${USER.toUpperCase()}:userName eq "ann@example.org"`,
    'Emails[Type eq "Work" And Value eq "ann@example.org"]',
  ])
    assert.equal((await find('Users', filter)).body.totalResults, 1, filter)

  const { status, body } = await send('PATCH', `/Users/${id}`, {
    SCHEMAS: [PATCH.toUpperCase()],
    operations: [
      { OP: 'Replace', Path: 'Name.GIVENNAME', Value: 'Anna' },
      { op: 'replace', path: 'EMAILS[Type eq "WORK"].Value', value: 'anna@example.org' },
      { op: 'replace', path: `${USER.toLowerCase()}:Title`, value: 'Lead' },
      { op: 'replace', path: `${ENTERPRISE.toUpperCase()}:DEPARTMENT`, value: 'Dev' },
      { op: 'replace', value: { Active: 'False', 'NAME.familyname': 'Li' } },
    ],
  })
  assert.equal(status, 200)
  const { givenName, familyName } = body.name
  assert.deepEqual([givenName, familyName, body.title, body.active], ['Anna', 'Li', 'Lead', false])
  assert.deepEqual([body.emails[0].value, body[ENTERPRISE].department], ['anna@example.org', 'Dev'])
  for (const odd of [null, [], 'x', { schemas: [PATCH], Operations: [null] }])
    assert.equal((await send('PATCH', `/Users/${id}`, odd)).status, 400, JSON.stringify(odd))
  const leaving = { op: 'replace', path: 'CONSTRUCTOR.prototype', value: 1 }
  assert.equal((await send('PATCH', `/Users/${id}`, { schemas: [PATCH], Operations: [leaving] })).status, 400)
})

test('somebody who is deprovisioned is out at once: session, token and stream', async (t) => {
  const scene = await stage(t)
  const { alice, as, send, find, owner } = scene
  const session = await as(alice.id, { session: true })
  const stream = await listenLive(t, scene, alice)
  const { id } = (await find('Users', 'userName eq "alice@example.org"')).body.Resources[0]
  assert.equal((await send('DELETE', `/Users/${id}`)).status, 204)
  await assert.rejects(session.call(api.getSession), { status: 401 })
  await assert.rejects(alice.call(api.getProfile), { status: 403, code: 'access_denied' })
  await scene.drain()
  await stream.done
  assert.equal((await send('GET', `/Users/${id}`)).status, 404)
  assert.equal((await owner.call(api.getUser, { params: { id: alice.id } })).data.suspended, true)

  const again = await send('POST', '/Users', { userName: 'alice@example.org', name: { givenName: 'Alice' } })
  assert.deepEqual([again.status, again.body.id, again.body.active], [201, id, true])
  await alice.call(api.getProfile)
})

test('the owner stays, bad requests get the errors of the RFC, and the owner reads them', async (t) => {
  const { send, find, patch, owner, session, token } = await stage(t)
  assert.equal(
    (await patch(`/Users/${owner.id}`, { op: 'replace', path: 'active', value: false })).status,
    403,
  )
  assert.equal((await send('DELETE', `/Users/${owner.id}`)).status, 403)
  const wrong: [string, Promise<{ status: number; body: Body }>][] = [
    ['invalidFilter', find('Users', 'userName eq')],
    ['invalidFilter', find('Users', 'nickName eq "x"')],
    ['invalidFilter', find('Users', 'userName co "x"')],
    ['invalidValue', send('POST', '/Users', { userName: 'no mail' })],
    ['invalidValue', send('POST', '/Users', { name: {} })],
    ['invalidSyntax', send('PATCH', `/Users/${owner.id}`, { Operations: [] })],
    ['invalidSyntax', send('POST', '/Users', [])],
  ]
  for (const [scimType, sent] of wrong) {
    const { status, body } = await sent
    assert.deepEqual([status, body.scimType, body.status], [400, scimType, '400'], JSON.stringify(body))
    assert.deepEqual(body.schemas, ['urn:ietf:params:scim:api:messages:2.0:Error'])
  }
  const page = await send('GET', '/Users?startIndex=2&count=2')
  assert.deepEqual([page.body.startIndex, page.body.itemsPerPage, page.body.totalResults], [2, 2, 5])
  for (const path of [
    '/ServiceProviderConfig',
    '/ResourceTypes',
    '/ResourceTypes/User',
    '/Schemas',
    `/Schemas/${USER}`,
  ])
    assert.equal((await send('GET', path)).status, 200, path)
  assert.equal((await send('GET', '/Users', undefined, owner.token)).status, 401)

  const { data: requests } = await session.call(api.listScimRequests)
  const refused = requests.find(({ path }) => path.includes('nickName'))
  assert.deepEqual([refused?.status, refused?.method, refused?.token_name], [400, 'GET', 'directory'])
  assert.ok(!JSON.stringify(await session.call(api.listScimTokens)).includes(token.token))
  await session.call(api.deleteScimToken, { params: { id: token.id } })
  assert.equal((await send('GET', '/Users')).status, 401)
})
