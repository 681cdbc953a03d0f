import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  createCustomProperty,
  createDraft,
  createMessage,
  createTask,
  getChat,
  getMessage,
  getUploadParams,
  getUser,
} from '@parley/contract'
import { postForm } from './testing/upload.js'
import { type Person, world } from './testing/world.js'
import { ask, CASES, type Json, stage } from './testing-published-clients.js'

test('requests of published clients are understood', async (t) => {
  const scene = await stage(t)
  for (const { line, request, status, ignored } of CASES) {
    const answer = await ask(scene, await request(scene))
    assert.equal(answer.status, status, `${line}: ${answer.text}`)
    assert.equal(answer.ignored, ignored ?? null, line)
  }
})

test('what the server returned can be sent back', async (t) => {
  const scene = await stage(t)
  const { alice, admin, bob, office, image, made } = scene
  const { data: desk } = await (await scene.as(scene.owner.id, { session: true })).call(
    createCustomProperty,
    {
      body: { entity_type: 'User', name: 'Desk', data_type: 'string' },
    },
  )
  assert.ok(desk.id)
  const files = [image] as never
  const { data: message } = await alice.call(createMessage, {
    body: { message: { entity_id: office.id, content: 'x', files } },
  })
  const { data: task } = await alice.call(createTask, { body: { task: { kind: 'call', content: 'ring' } } })
  const { data: draft } = await alice.call(createDraft, {
    body: { draft: { entity_type: 'discussion', entity_id: office.id, content: 'later', files } },
  })
  const returned: [Person, string, Json][] = [
    [
      alice,
      `/messages/${message.id}`,
      { message: (await alice.call(getMessage, { params: { id: message.id } })).data },
    ],
    [alice, `/chats/${office.id}`, { chat: (await alice.call(getChat, { params: { id: office.id } })).data }],
    [admin, `/users/${bob.id}`, { user: (await admin.call(getUser, { params: { id: bob.id } })).data }],
    [alice, `/tasks/${task.id}`, { task }],
    [alice, `/drafts/${draft.id}`, { draft }],
    [alice, `/bots/${made.id}`, { webhook: (made as unknown as { webhook: Json }).webhook }],
  ]
  for (const [as, path, body] of returned) {
    const answer = await ask(scene, { as, method: 'PUT', path, body })
    assert.equal(answer.status, 200, `${path}: ${answer.text}`)
  }
})

test('F6 a device signs in with the id of another command line, when it is listed', async (t) => {
  const { url } = await world(t, { env: { PARLEY_CLI_CLIENT_IDS: 'parley_cli, other_cli' } })
  const start = (client_id: string) =>
    fetch(`${url}/v1/oauth/device_authorization`, {
      method: 'POST',
      body: new URLSearchParams({ client_id }),
    })
  assert.equal((await start('other_cli')).status, 200)
  assert.equal((await start('parley_cli')).status, 200)
  assert.equal((await start('third_cli')).status, 401)
})

test('F17 a form that the storage refuses is answered with an error document of S3', async (t) => {
  const { alice } = await world(t)
  const params = await alice.call(getUploadParams)
  const answer = await postForm({ ...params, 'x-amz-signature': '0' }, 'x', 'a.txt')
  assert.equal(answer.status, 403)
  assert.match(answer.headers.get('content-type') ?? '', /^application\/xml/)
  assert.match(await answer.text(), /<Error><Code>AccessDenied<\/Code><Message>.+<\/Message><\/Error>/)
})

test('a form is refused where no token is asked for, so that no other site signs its reader in', async (t) => {
  const { url } = await world(t)
  const form = new URLSearchParams({ email: 'owner@example.org', password: 'x', cookie: 'true' })
  const answer = await fetch(`${url}/v1/sessions`, { method: 'POST', body: form })
  assert.equal(answer.status, 400)
  const { errors } = (await answer.json()) as { errors: { key: string }[] }
  assert.equal(errors[0]?.key, 'Content-Type')
})

test('a password in the address is not read', async (t) => {
  const scene = await world(t)
  const session = await scene.as(scene.alice.id, { session: true })
  const path = '/profile/password?current_password=a-long-one&password=another-one'
  const answer = await ask(scene, { as: session, method: 'PUT', path, body: {} })
  assert.equal(answer.ignored, null)
  assert.ok(answer.status === 400 || answer.status === 422, answer.text)
})
