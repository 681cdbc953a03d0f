import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { createMessage, deleteMessage, getMessage, getUploadParams } from '@parley/contract'
import sharp from 'sharp'
import { startS3Store } from '../testing/s3-store.js'
import { postForm } from '../testing/upload.js'
import { type Person, world } from '../testing/world.js'

const DAY_MS = 86_400_000

/** A world whose files are in a store that speaks S3. */
async function storeWorld(t: TestContext) {
  const store = await startS3Store(t)
  return world(t, {
    env: {
      PARLEY_S3_ENDPOINT: store.endpoint,
      PARLEY_S3_BUCKET: store.bucket,
      PARLEY_S3_ACCESS_KEY_ID: store.accessKeyId,
      PARLEY_S3_SECRET_ACCESS_KEY: store.secretAccessKey,
    },
  })
}

/** The name is put into the key by the client, as some do: this store does not know how to. */
async function upload(person: Person, name: string, content: string | Buffer) {
  const params = await person.call(getUploadParams)
  const key = params.key.replace('${filename}', name)
  assert.equal((await postForm({ ...params, key }, content, name)).status, 204)
  return key
}

test('with an S3 store files go there and come from there, and are erased there', async (t) => {
  const { ctx, alice, office, clock, drain, url } = await storeWorld(t)
  clock.freeze(true)
  const key = await upload(alice, 'отчёт.txt', 'in the store')
  const files = [{ key, name: 'отчёт.txt', file_type: 'file' as const, size: 12 }]
  const { data } = await alice.call(createMessage, { body: { message: { entity_id: office.id, files } } })
  const link = data.files[0]?.url as string
  assert(!link.startsWith(url))
  const reply = await fetch(link)
  assert.deepEqual([reply.status, await reply.text()], [200, 'in the store'])
  assert.match(reply.headers.get('content-disposition') ?? '', /^attachment/)

  // Links are dated by the second; after a longer time it might be that of a new one.
  clock.advance(1_000)
  const again = await alice.call(getMessage, { params: { id: data.id } })
  assert.equal(again.data.files[0]?.url, link)

  await alice.call(deleteMessage, { params: { id: data.id } })
  await drain()
  assert.equal(await ctx.storage.stat(key), undefined)
})

test('what nobody used is erased in an S3 store after its form is long over', async (t) => {
  const { ctx, alice, clock, drain } = await storeWorld(t)
  const key = await upload(alice, 'a.txt', 'x')
  clock.advance(27 * DAY_MS)
  await drain()
  assert(await ctx.storage.stat(key))
  clock.advance(2 * DAY_MS)
  await drain()
  assert.equal(await ctx.storage.stat(key), undefined)
})

test('the size of a picture is read from an S3 store, and what is none or is empty is sent all the same', async (t) => {
  const { alice, office } = await storeWorld(t)
  const noise = { type: 'gaussian' as const, mean: 128, sigma: 60 }
  const large = await sharp({ create: { width: 900, height: 600, channels: 3, background: 'teal', noise } })
    .png()
    .toBuffer()
  assert(large.length > 1024 * 1024)
  const contents = { 'a.png': large, 'b.png': 'no picture', 'c.png': '' }
  const files = await Promise.all(
    Object.entries(contents).map(async ([name, content]) => {
      return { key: await upload(alice, name, content), name, file_type: 'image' as const, size: 1 }
    }),
  )
  const { data } = await alice.call(createMessage, { body: { message: { entity_id: office.id, files } } })
  assert.deepEqual(
    data.files.map(({ measured_width, measured_height }) => [measured_width, measured_height]),
    [
      [900, 600],
      [null, null],
      [null, null],
    ],
  )
})
