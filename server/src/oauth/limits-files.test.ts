import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as api from '@parley/contract'
import { upload } from '../testing/upload.js'
import { world } from '../testing/world.js'

test('files of a chat outside the limits of a token do not leak through it', async (t) => {
  const scene = await world(t)
  const { alice, bob, office, url } = scene
  const { data: hidden } = await alice.call(api.createChat, {
    body: { chat: { name: 'zebra plans', member_ids: [bob.id] } },
  })
  const sendFile = async (chat_id: number, name: string) => {
    const key = await upload(alice, name)
    const file = { key, name, file_type: 'file' as const, size: name.length }
    const message = { entity_id: chat_id, content: '', files: [file] }
    const { data } = await alice.call(api.createMessage, { body: { message } })
    return data.files[0]?.id as number
  }
  const secret = await sendFile(hidden.id, 'zebra.txt')
  const open = await sendFile(office.id, 'open.txt')
  const attached = { key: await upload(bob, 'zebra.md'), name: 'zebra.md', file_type: 'file' as const }
  const { data: draft } = await bob.call(api.createDraft, {
    body: { draft: { entity_type: 'discussion', entity_id: hidden.id, files: [attached] } },
  })
  const unsent = draft.files[0]?.id as number
  const session = await scene.as(bob.id, { session: true })
  const { data: made } = await session.call(api.createPersonalToken, {
    body: { name: 'program', scopes: ['files:read', 'messages:read'], limits: { chat_ids: [office.id] } },
  })
  const read = async (path: string, token: string) => {
    const headers = { Authorization: `Bearer ${token}`, 'X-Request-Id': 'same' }
    const answer = await fetch(`${url}/v1${path}`, { headers })
    return { status: answer.status, text: await answer.text() }
  }
  const program = made.access_token

  assert.equal((await read(`/files/${secret}`, bob.token)).text, 'zebra.txt')
  assert.equal((await read(`/files/${unsent}`, bob.token)).text, 'zebra.md')
  assert.equal((await read(`/files/${unsent}`, program)).status, 404)
  assert.equal((await read(`/files/${open}`, program)).text, 'open.txt')
  const refused = await read(`/files/${secret}`, program)
  const absent = await read('/files/999999', program)
  assert.equal(refused.status, 404)
  assert.equal(refused.text.replaceAll(String(secret), '999999'), absent.text)
  for (const target of ['thumb', 'image'])
    assert.equal((await read(`/files/${secret}?target=${target}`, program)).status, 404)
  assert.equal((await read(`/chats/${hidden.id}/files`, program)).status, 404)
  const listed = await read(`/chats/${office.id}/files`, program)
  assert.match(listed.text, /open\.txt/)
  assert.doesNotMatch(listed.text, /zebra/)
})
