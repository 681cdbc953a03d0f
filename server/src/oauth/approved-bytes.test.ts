import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as api from '@parley/contract'
import sharp from 'sharp'
import { postForm } from '../testing/upload.js'
import { type World, world } from '../testing/world.js'
import { limited, refusal } from './testing-limits.js'

const square = (red: number) =>
  sharp({ create: { width: 4, height: 4, channels: 3, background: { r: red, g: 0, b: 0 } } })
    .png()
    .toBuffer()

/** Sends a picture for one's own card; the boundary of the form is another each time. */
async function sendAvatar({ url }: World, token: string, picture: Buffer, headers: object = {}) {
  const form = new FormData()
  form.set('image', new Blob([new Uint8Array(picture)]), 'me.png')
  const all = { Authorization: `Bearer ${token}`, ...headers }
  const answer = await fetch(`${url}/v1/profile/avatar`, { method: 'PUT', headers: all, body: form })
  return { status: answer.status, body: (await answer.json()) as { data: object } }
}

test('an approval of a picture is for that picture', async (t) => {
  const scene = await world(t)
  const { client, session } = await limited(scene, scene.bob, { approval: 'writes' })
  const [shown, other] = await Promise.all([square(10), square(20)])
  assert.equal((await sendAvatar(scene, client.token, shown)).status, 403)
  const { data } = await session.call(api.listApprovals)
  const [asked] = data
  const { image } = (asked as api.Approval).request.body as { image: { size: number; sha256: string } }
  assert.deepEqual([data.length, image.size, image.sha256.length], [1, shown.length, 64])
  await session.call(api.decideApproval, { params: { id: data[0]?.id as number }, body: { approved: true } })
  assert.equal((await sendAvatar(scene, client.token, other)).status, 403)
  assert.equal((await sendAvatar(scene, client.token, shown)).status, 200)
})

test('an approval of a message with a file is for what the file holds', async (t) => {
  const scene = await world(t)
  const { client, session } = await limited(scene, scene.bob, { approval: 'writes' })
  const params = await scene.bob.call(api.getUploadParams)
  await postForm(params, 'harmless', 'note.txt')
  const key = params.key.replace('${filename}', () => 'note.txt')
  const files = [{ key, name: 'note.txt', file_type: 'file' as const, size: 8 }]
  const write = () =>
    client.call(api.createMessage, { body: { message: { entity_id: scene.office.id, files } } })
  const approve = async () => {
    const id = (await refusal(write())).needs.approval_id as number
    await session.call(api.decideApproval, { params: { id }, body: { approved: true } })
    return id
  }
  const first = await approve()
  await postForm(params, 'replaced', 'note.txt')
  assert.notEqual(await approve(), first)
  assert.equal((await write()).data.files.length, 1)
})

test('a key of a request with a picture is for that picture', async (t) => {
  const scene = await world(t)
  const [mine, other] = await Promise.all([square(30), square(40)])
  const key = { 'Idempotency-Key': 'face-1' }
  const send = (picture: Buffer) => sendAvatar(scene, scene.bob.token, picture, key)
  const first = await send(mine)
  assert.deepEqual([first.status, await send(mine)], [200, first])
  assert.equal((await send(other)).status, 409)
})
