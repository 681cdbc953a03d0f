// What a person may do with a login session, a token of that person may do too, by its scopes.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  createMessage,
  createTask,
  forwardMessage,
  getStart,
  getWorkspaceSettings,
  listNotices,
  listPins,
  listUnread,
  markChatRead,
  OPERATIONS,
  openLive,
  pressButton,
  submitView,
} from '@parley/contract'
import { openForm, stage } from './forms/testing-stage.js'
import { listenLive } from './live/testing-live.js'
import { world } from './testing/world.js'

/** Sign-in, passwords, second factors, pushes to browsers, tokens and what waits for their holders, and what the owner or admins decide for the whole workspace. */
const OF_SESSIONS = [
  /^\/sessions\//,
  /^\/profile\/(sessions|password|passkeys|second_factor|push|sign_in|identities)/,
  /^\/approvals/,
  /^\/(personal_)?tokens/,
  /^\/users\/\{id\}\/(invite|second_factor|deletion)$/,
  /^\/oauth\/|^\/profile\/(grants|devices)|^\/(grants|device_logins)/,
  /^\/company\/(settings|perimeter|retention|usage|limits|imports|health|sign_in|identity_providers|scim_\w+)/,
  /^\/(dlp|custom_properties|retention)/,
]

test('nothing but sign-in, password, tokens and workspace settings is for sessions alone', () => {
  const strange = OPERATIONS.filter(
    (operation) => operation.sessionOnly && !OF_SESSIONS.some((pattern) => pattern.test(operation.path)),
  )
  assert.deepEqual(
    strange.map(({ method, path }) => `${method} ${path}`),
    [],
  )
  for (const operation of OPERATIONS)
    assert.ok(operation.sessionOnly || operation.scope || operation.roles.length === 0 || !operation.addition)
})

test('a personal token reads unread chats, notices and pins, marks read and forwards by its scopes', async (t) => {
  const { alice, as, bob, office } = await world(t)
  const { data: message } = await alice.call(createMessage, {
    body: { message: { entity_id: office.id, content: 'hello' } },
  })
  const params = { id: office.id }
  const reader = await as(bob.id, { scopes: ['messages:read'] })
  assert.equal((await reader.call(listUnread)).data.length, 1)
  await reader.call(markChatRead, { params, body: { message_id: message.id } })
  assert.equal((await reader.call(listUnread)).data.length, 0)
  await reader.call(listNotices)
  await reader.call(listPins, { params })
  assert.deepEqual((await reader.call(getStart)).data.drafts, [])
  const forward = { params: { id: message.id }, body: { entity_id: office.id } }
  await assert.rejects(reader.call(forwardMessage, forward), { status: 403, code: 'insufficient_scope' })
  const writer = await as(bob.id, { scopes: ['messages:create'] })
  assert.equal((await writer.send(forwardMessage, forward)).status, 201)
})

test('a personal token presses buttons and sends forms', async (t) => {
  const scene = await stage(t)
  const token = await scene.as(scene.bob.id, { scopes: ['messages:create'] })
  await token.call(pressButton, { params: { id: scene.message.id }, body: { row: 0, column: 0 } })
  assert.equal((await scene.server.bodies('button'))[0]?.user_id, scene.bob.id)
  const view = await openForm(scene)
  assert.equal(
    (await token.send(submitView, { params: { id: view.id }, body: { data: { name: 'Bob' } } })).status,
    200,
  )
  await scene.server.bodies('view_submit')
})

test('a live stream shows a token only what its scopes open', async (t) => {
  const stage = await world(t)
  const { alice, as, bob, office, drain } = stage
  const reader = await as(bob.id, { scopes: ['messages:read'] })
  const writer = await as(bob.id, { scopes: ['messages:create'] })
  await assert.rejects(writer.call(openLive), { status: 403, code: 'insufficient_scope' })
  const stream = await listenLive(t, stage, reader)
  await alice.call(createTask, {
    body: { task: { kind: 'reminder', content: 'secret', chat_id: office.id, performer_ids: [bob.id] } },
  })
  await alice.call(createMessage, { body: { message: { entity_id: office.id, content: 'hello' } } })
  await drain()
  const heard = await stream.until(({ event }) => event === 'message.created')
  assert.ok(!heard.some(({ event }) => event.startsWith('task.')))
})

test('a refusal for tokens says that a session is needed', async (t) => {
  const { owner, url } = await world(t)
  const response = await fetch(`${url}/v1${getWorkspaceSettings.path}`, {
    headers: { Authorization: `Bearer ${owner.token}` },
  })
  const { errors } = (await response.json()) as { errors: { code: string; message: string }[] }
  assert.equal(response.status, 403)
  assert.equal(errors[0]?.code, 'not_authorized')
  assert.match(errors[0]?.message ?? '', /login session/)
})
