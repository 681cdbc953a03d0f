import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { text } from 'node:stream/consumers'
import { test } from 'node:test'
import { createMessage, getUploadParams, listAuditEvents } from '@parley/contract'
import { filesFolder } from '../open-context.js'
import { openStorage } from '../platform/storage/open.js'
import { filesIn } from '../platform/storage/testing-folder.js'
import { startS3Store } from '../testing/s3-store.js'
import { postForm } from '../testing/upload.js'
import { type World, world } from '../testing/world.js'

const KEY = Buffer.alloc(32, 7).toString('base64')
const TEXT = 'nobody who has the disk reads this'

/** A file in the office; gives the address in the message, and what it answers. */
async function sendFile({ alice, office, url }: World) {
  const params = await alice.call(getUploadParams)
  assert.ok(params.direct_url.startsWith(url), 'files that are encrypted pass through the server')
  const name = 'plan.txt'
  const key = params.key.replace('${filename}', name)
  assert.equal((await postForm({ ...params, key }, TEXT, name)).status, 204)
  const files = [{ key, name, file_type: 'file' as const, size: TEXT.length }]
  const { data } = await alice.call(createMessage, { body: { message: { entity_id: office.id, files } } })
  const [file] = data.files
  assert.deepEqual([file?.url, file?.size], [`${url}/v1/files/${file?.id}`, TEXT.length])
  const get = (headers: Record<string, string> = {}) =>
    fetch(file?.url as string, { headers: { Authorization: `Bearer ${alice.token}`, ...headers } })
  return { key, get }
}

test('encrypted files are read by the download operation alone, whole and in part, and not from the disk', async (t) => {
  const scene = await world(t, { env: { PARLEY_FILES_KEY: KEY } })
  const { ctx } = scene
  const { get } = await sendFile(scene)
  assert.equal(await (await get()).text(), TEXT)
  const part = await get({ Range: 'bytes=7-9' })
  assert.deepEqual([part.status, await part.text()], [206, 'who'])
  for (const path of await filesIn(filesFolder(ctx.config)))
    assert.ok(!(await readFile(path, 'latin1')).includes('nobody who'), path)

  const other = { ...ctx.config, files_keys: [Buffer.alloc(32, 8)] }
  ctx.storage = openStorage(other, filesFolder(ctx.config), ctx.secret, ctx.clock)
  const lost = await get()
  const { errors } = (await lost.json()) as { errors: { code: string }[] }
  assert.deepEqual([lost.status, errors[0]?.code], [400, 'decryption_failed'])
  await get()
  const query = { event_key: 'kms_decrypt' as const }
  const { data } = await scene.owner.call(listAuditEvents, { query })
  assert.deepEqual(
    data.map(({ entity_type, details }) => [entity_type, details.chat_id, details.reason]),
    [['Message', scene.office.id, 'decryption_failed']],
    'once a day for each file',
  )
})

test('a file whose key is lost is refused, and new ones are kept as they are', async (t) => {
  const scene = await world(t, { env: { PARLEY_FILES_KEY: KEY } })
  const { ctx } = scene
  const { get } = await sendFile(scene)
  const config = { ...ctx.config, files_keys: [], files_key_lost: true }
  ctx.storage = openStorage(config, filesFolder(ctx.config), ctx.secret, ctx.clock)
  assert.equal((await get()).status, 400)
  await ctx.storage.write('plain', Buffer.from(TEXT))
  assert.equal(await text(await ctx.storage.read('plain')), TEXT)
})

test('files in an S3 store are encrypted before they get there', async (t) => {
  const store = await startS3Store(t)
  const s3 = {
    PARLEY_S3_ENDPOINT: store.endpoint,
    PARLEY_S3_BUCKET: store.bucket,
    PARLEY_S3_ACCESS_KEY_ID: store.accessKeyId,
    PARLEY_S3_SECRET_ACCESS_KEY: store.secretAccessKey,
  }
  const scene = await world(t, { env: { ...s3, PARLEY_FILES_KEY: KEY } })
  const { ctx } = scene
  const { key, get } = await sendFile(scene)
  assert.equal(await (await get({ Range: 'bytes=0-5' })).text(), 'nobody')
  const plain = openStorage({ ...ctx.config, files_keys: [] }, filesFolder(ctx.config), ctx.secret, ctx.clock)
  const stat = await plain.stat(key)
  assert.ok(stat && stat.size > TEXT.length, 'what is in the store has a head')
  assert.equal((await ctx.storage.stat(key))?.size, TEXT.length)
})
