import assert from 'node:assert/strict'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { type TestContext, test } from 'node:test'
import { pino } from 'pino'
import { startS3Store } from '../../testing/s3-store.js'
import { systemClock } from '../clock.js'
import { prepareBucket } from './bucket.js'
import { createS3Storage, type S3StorageOptions } from './s3.js'
import { NoSuchObject } from './storage.js'

async function start(t: TestContext, options: Partial<S3StorageOptions> = {}) {
  return createS3Storage({
    ...(await startS3Store(t)),
    region: 'us-east-1',
    forcePathStyle: true,
    clock: systemClock,
    ...options,
  })
}

const text = async (stream: Readable) => (await buffer(stream)).toString()

test('objects are written, read in part, replaced and removed in an S3 store', async (t) => {
  const storage = await start(t)
  const key = 'exports/1/годовой отчёт #1.zip'

  assert.equal(await storage.stat(key), undefined)
  await assert.rejects(storage.read(key), NoSuchObject)
  assert.deepEqual(await storage.write(key, Buffer.from('0123456789'), 'application/zip'), { size: 10 })
  assert.equal((await storage.stat(key))?.size, 10)
  assert.equal(await text(await storage.read(key, { start: 2, end: 4 })), '234')
  assert.equal(await text(await storage.read(key, { start: 7 })), '789')

  assert.deepEqual(await storage.write(key, Readable.from([Buffer.from('new'), Buffer.from('er')])), {
    size: 5,
  })
  assert.equal(await text(await storage.read(key)), 'newer')

  await storage.remove(key)
  await storage.remove(key)
  assert.equal(await storage.stat(key), undefined)
})

test('a stream of unknown length is written in parts', async (t) => {
  const storage = await start(t)
  const block = Buffer.alloc(1024 * 1024, 'block')
  const body = Readable.from(Array.from({ length: 12 }, () => block))

  assert.deepEqual(await storage.write('big', body), { size: 12 * block.length })
  assert.equal((await storage.stat('big'))?.size, 12 * block.length)
})

test('a stream that breaks writes nothing to the store', async (t) => {
  const storage = await start(t)
  const broken = Readable.from(
    (async function* () {
      yield Buffer.from('half')
      throw new Error('source broke')
    })(),
  )
  await assert.rejects(storage.write('broken', broken), /source broke/)
  assert.equal(await storage.stat('broken'), undefined)
})

test('a signed link downloads from the store under the name we say', async (t) => {
  const storage = await start(t)
  await storage.write('a/b.html', Buffer.from('<b>'), 'text/html')
  const link = { expires_at: new Date(Date.now() + 60_000), filename: 'б.html', content_type: 'text/html' }

  const reply = await fetch(await storage.signedUrl('a/b.html', { ...link, disposition: 'inline' }))

  assert.equal(reply.status, 200)
  assert.equal(await reply.text(), '<b>')
  assert.equal(reply.headers.get('content-type'), 'application/octet-stream')
  assert.match(reply.headers.get('content-disposition')!, /^attachment; .*UTF-8''%D0%B1\.html$/)
})

// The store of the test takes forms and links but does not look at their signatures; that our policies are signed as S3 wants
// them is shown beside the disk store, against the S3 client's own signer.
test('a form posts straight to the store', async (t) => {
  const storage = await start(t)
  const prefix = 'attaches/files/7/uuid/'
  const { fields, direct_url } = await storage.uploadForm({
    key_prefix: prefix,
    max_bytes: 100,
    expires_in_s: 60,
  })
  const form = new FormData()
  for (const [name, value] of Object.entries({ ...fields, key: `${prefix}a.txt` })) form.set(name, value)
  form.set('file', new Blob(['posted']), 'a.txt')

  const reply = await fetch(direct_url, { method: 'POST', body: form })

  assert.equal(reply.status, 204)
  assert.equal(await text(await storage.read(`${prefix}a.txt`)), 'posted')
})

test('clients are sent to the public endpoint, the server goes to its own', async (t) => {
  const storage = await start(t, { publicEndpoint: 'https://files.example.com/store/' })
  const form = { key_prefix: 'a/', max_bytes: 1, expires_in_s: 60 }
  const link = {
    expires_at: new Date(Date.now() + 30 * 86_400_000),
    filename: 'b',
    disposition: 'attachment',
  } as const

  assert.equal((await storage.uploadForm(form)).direct_url, 'https://files.example.com/store/files')
  const url = new URL(await storage.signedUrl('a/b', link))
  assert.equal(url.origin, 'https://files.example.com')
  assert.equal(url.searchParams.get('X-Amz-Expires'), '604800')
  await storage.write('a/b', Buffer.from('x'))
  assert.equal((await storage.stat('a/b'))?.size, 1)

  const byHost = await start(t, { publicEndpoint: 'https://store.example.com', forcePathStyle: false })
  assert.equal((await byHost.uploadForm(form)).direct_url, 'https://files.store.example.com/')
})

test('a bucket that is missing is made, once the store answers', async (t) => {
  const made = { ...(await startS3Store(t, { buckets: [] })), region: 'us-east-1', forcePathStyle: true }
  const store = createS3Storage({ ...made, clock: systemClock })
  let asked = 0
  const ready = new Promise<string>((resolve) => {
    const late = {
      async ensureBucket() {
        asked += 1
        if (asked === 1) throw new Error('away')
        const state = await store.ensureBucket()
        resolve(state)
        return state
      },
    }
    t.after(prepareBucket(late, pino({ level: 'silent' }), 1).stop)
  })
  assert.equal(await ready, 'made')
  assert.deepEqual(await store.write('a', Buffer.from('x')), { size: 1 })
  assert.equal(await store.ensureBucket(), 'there')
})
