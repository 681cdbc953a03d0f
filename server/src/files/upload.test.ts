import assert from 'node:assert/strict'
import { buffer } from 'node:stream/consumers'
import { test } from 'node:test'
import { getUploadParams } from '@parley/contract'
import { postForm, upload } from '../testing/upload.js'
import { world } from '../testing/world.js'
import { writeMessage } from '../testing/write-message.js'
import { actorOf, DAY_MS, setUp } from './testing-files.js'

test('an upload takes a form, a post and the key', async (t) => {
  const stage = await world(t)
  const { alice } = stage
  const params = await alice.call(getUploadParams)

  assert.match(params.key, new RegExp(`^attaches/files/${alice.id}/[0-9a-f-]{36}/\\$\\{filename\\}$`))
  assert.equal(params['Content-Disposition'], 'attachment')
  assert.equal((await postForm(params, 'hello', 'greeting.txt')).status, 204)
  const key = params.key.replace('${filename}', 'greeting.txt')
  assert.deepEqual(await setUp(stage).stored(key), { size: 5 })
})

test('the storage refuses a form that was changed, has expired or carries too much', async (t) => {
  const stage = await world(t, { env: { PARLEY_MAX_UPLOAD_BYTES: '10' } })
  const { alice, bob, clock } = stage
  const params = await alice.call(getUploadParams)

  const foreign = { ...params, key: params.key.replace(`/${alice.id}/`, `/${bob.id}/`) }
  assert.equal((await postForm(foreign, 'x', 'a.txt')).status, 403)
  assert.equal((await postForm(params, 'x'.repeat(11), 'a.txt')).status, 400)
  assert.equal((await postForm(params, 'x', '../a.txt')).status, 400)
  const json = await fetch(params.direct_url, {
    method: 'POST',
    body: '{}',
    headers: { 'content-type': 'application/json' },
  })
  assert.equal(json.status, 400)
  clock.advance(14 * DAY_MS)
  assert.equal((await postForm(params, 'x', 'a.txt')).status, 403)
  assert.equal(await setUp(stage).stored(params.key.replace('${filename}', 'a.txt')), undefined)
})

test('a file that was sent cannot be uploaded over', async (t) => {
  const stage = await world(t)
  const { ctx, alice, office } = stage
  const params = await alice.call(getUploadParams)
  const key = params.key.replace('${filename}', 'a.txt')
  assert.equal((await postForm(params, 'draft', 'a.txt')).status, 204)
  assert.equal((await postForm(params, 'first', 'a.txt')).status, 204)
  const message_id = await writeMessage(stage, { chat_id: office.id, user_id: alice.id })
  await setUp(stage).attach(actorOf(alice), { message_id }, [{ key, name: 'a.txt' }])

  assert.equal((await postForm(params, 'second', 'a.txt')).status, 403)
  assert.equal((await buffer(await ctx.storage.read(key))).toString(), 'first')
})

test('a large file passes through in both directions', async (t) => {
  const stage = await world(t)
  const { ctx, alice } = stage
  const content = Buffer.alloc(20_000_000, 'block of a large file ')
  const key = await upload(alice, 'large.bin', content)
  assert((await buffer(await ctx.storage.read(key))).equals(content))
})
