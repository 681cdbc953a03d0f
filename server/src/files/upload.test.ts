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
  assert.equal((await setUp(stage).stored(key))?.size, 5)
})

test('the storage refuses a form that was changed, has expired or carries too much', async (t) => {
  const stage = await world(t, { env: { PARLEY_MAX_UPLOAD_BYTES: '10' } })
  const { alice, bob, clock } = stage
  const params = await alice.call(getUploadParams)

  const foreign = { ...params, key: params.key.replace(`/${alice.id}/`, `/${bob.id}/`) }
  assert.equal((await postForm(foreign, 'x', 'a.txt')).status, 403)
  assert.equal((await postForm(params, 'x'.repeat(11), 'a.txt')).status, 400)
  const misnamed = await postForm(params, 'x', '../a.txt')
  assert.deepEqual([misnamed.status, misnamed.headers.get('connection')], [400, 'keep-alive'])
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

test('a refused form is told which field it lacks', async (t) => {
  const { alice } = await world(t)
  const { acl, 'x-amz-signature': signature, ...params } = await alice.call(getUploadParams)
  const told = async (fields: Record<string, string>) => (await postForm(fields, 'x', 'a.txt')).text()
  assert.match(await told({ direct_url: params.direct_url }), /<Message>the form lacks policy: /)
  assert.match(await told({ ...params, acl }), /<Message>the form lacks x-amz-signature: /)
  assert.match(await told({ ...params, 'x-amz-signature': signature }), /<Message>the form lacks acl: /)
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

test('a form takes one file, which may come again under its name', async (t) => {
  const stage = await world(t)
  const params = await stage.alice.call(getUploadParams)
  assert.equal((await postForm(params, 'one', 'a.txt')).status, 204)
  assert.equal((await postForm(params, 'one again', 'a.txt')).status, 204)
  const other = await postForm(params, 'two', 'b.txt')
  assert.equal(other.status, 403)
  assert.match(await other.text(), /the form was used for another file/)
  assert.equal(await setUp(stage).stored(params.key.replace('${filename}', 'b.txt')), undefined)

  const fresh = await stage.alice.call(getUploadParams)
  const names = ['a', 'b', 'c', 'd']
  const answers = await Promise.all(names.map((name) => postForm(fresh, name, name)))
  assert.deepEqual(answers.map(({ status }) => status).sort(), [204, 403, 403, 403])
})

test('a person uploads so much in fourteen days, and others are not held up by it', async (t) => {
  const stage = await world(t, { env: { PARLEY_UPLOAD_QUOTA_BYTES: '10' } })
  const { alice, bob, clock, drain } = stage
  const send = async (person: typeof alice, text: string) =>
    (await postForm(await person.call(getUploadParams), text, 'a.txt')).status
  assert.equal(await send(alice, '123456'), 204)
  assert.equal(await send(alice, '12345'), 403)
  assert.equal(await send(alice, '1234'), 204)
  assert.equal(await send(alice, '1'), 403)
  const refused = await postForm(await alice.call(getUploadParams), '1', 'a.txt')
  assert.match(await refused.text(), /<Code>QuotaExceeded<\/Code>/)
  assert.equal(await send(bob, '1234567890'), 204)
  clock.advance(14 * DAY_MS + 1)
  await drain()
  assert.equal(await send(alice, '1234567890'), 204)
})

test('uploads are counted by address', async (t) => {
  const { url, clock } = await world(t, { limits: true })
  clock.freeze(true)
  const send = () => fetch(`${url}/storage/uploads`, { method: 'POST', body: new FormData() })
  for (let count = 0; count < 20; count += 1) assert.equal((await send()).status, 400)
  assert.equal((await send()).status, 429)
})
