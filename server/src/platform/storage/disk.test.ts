import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { utimes, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { type TestContext, test } from 'node:test'
import { S3Client } from '@aws-sdk/client-s3'
import { createPresignedPost } from '@aws-sdk/s3-presigned-post'
import { createDiskStorage, type DiskStorage, DOWNLOAD_PATH, UPLOAD_PATH } from './disk.js'
import { judgePostForm } from './post-policy.js'
import { NoSuchObject } from './storage.js'
import { filesIn, testFolder } from './testing-folder.js'

const PREFIX = 'attaches/files/7/0b8f2c1e-8a39-4c55-9d2f-1f2e3d4c5b6a/'
const START_MS = Date.UTC(2026, 0, 15, 12)
const FORM = { key_prefix: PREFIX, max_bytes: 1_000, expires_in_s: 14 * 86_400 }
const LINK = {
  expires_at: new Date(START_MS + 3_600_000),
  filename: 'a.png',
  disposition: 'attachment',
} as const

/** A storage behind a real HTTP server, with routes as the product has them. */
async function start(t: TestContext) {
  const clock = { at_ms: START_MS, now: () => clock.at_ms }
  const folder = await testFolder(t)
  let storage: DiskStorage | undefined
  const server = createServer(async (request, reply) => {
    const url = new URL(request.url!, 'http://localhost')
    if (url.pathname === UPLOAD_PATH) {
      const { status, message } = await storage!.acceptUpload(request.headers, request)
      return reply.writeHead(status).end(message)
    }
    const key = decodeURIComponent(url.pathname.slice(DOWNLOAD_PATH.length))
    const { status, headers, body } = await storage!.serveDownload({
      key,
      query: Object.fromEntries(url.searchParams),
      method: request.method as 'GET' | 'HEAD',
      range: request.headers.range,
      if_range: request.headers['if-range'] as string | undefined,
      if_none_match: request.headers['if-none-match'],
    })
    reply.writeHead(status, headers)
    if (body) body.pipe(reply)
    else reply.end()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  const publicUrl = `http://127.0.0.1:${port}`
  storage = createDiskStorage({ folder, secret: Buffer.from('a secret of the test'), publicUrl, clock })
  return { storage, folder, clock, port }
}

function fill(fields: Record<string, string>, file?: Blob, name = 'a.txt') {
  const form = new FormData()
  for (const [field, value] of Object.entries(fields)) form.set(field, value)
  if (file) form.set('file', file, name)
  return form
}

async function post(url: string, body: FormData) {
  const reply = await fetch(url, { method: 'POST', body })
  return { status: reply.status, text: await reply.text() }
}

const text = async (stream: Readable) => (await buffer(stream)).toString()

test('an upload form has the fields of the contract, in their order', async (t) => {
  const { storage, port } = await start(t)
  const { fields, direct_url } = await storage.uploadForm(FORM)

  assert.deepEqual(Object.keys(fields), [
    'Content-Disposition',
    'acl',
    'policy',
    'x-amz-credential',
    'x-amz-algorithm',
    'x-amz-date',
    'x-amz-signature',
    'key',
  ])
  assert.equal(fields['Content-Disposition'], 'attachment')
  assert.equal(fields.acl, 'private')
  assert.equal(fields['x-amz-algorithm'], 'AWS4-HMAC-SHA256')
  assert.equal(fields['x-amz-date'], '20260115T120000Z')
  assert.match(fields['x-amz-signature']!, /^[0-9a-f]{64}$/)
  assert.equal(fields.key, `${PREFIX}\${filename}`)
  assert.equal(direct_url, `http://127.0.0.1:${port}/storage/uploads`)
})

test('a posted file is stored under its key, with the name put in by either side', async (t) => {
  const { storage, folder } = await start(t)
  const { fields, direct_url } = await storage.uploadForm(FORM)

  const literal = await post(direct_url, fill(fields, new Blob(['by the server']), 'one.txt'))
  assert.deepEqual(literal, { status: 204, text: '' })
  assert.equal(await text(await storage.read(`${PREFIX}one.txt`)), 'by the server')

  const named = { ...fields, key: `${PREFIX}two.txt` }
  assert.equal((await post(direct_url, fill(named, new Blob(['by the client']), 'blob'))).status, 204)
  assert.equal(await text(await storage.read(`${PREFIX}two.txt`)), 'by the client')

  assert.equal((await post(direct_url, fill(fields, new Blob([]), 'empty'))).status, 204)
  assert.deepEqual(await storage.stat(`${PREFIX}empty`), { size: 0 })
  assert.deepEqual(
    (await filesIn(folder)).filter((path) => path.includes('parts')),
    [],
  )
})

test('names may have spaces and any script, but nothing that makes a path', async (t) => {
  const { storage, folder } = await start(t)
  const { fields, direct_url } = await storage.uploadForm(FORM)

  for (const name of [
    'годовой отчёт 2026.pdf',
    '写真 🎉.png',
    "it's 100% (ok) #1 & co?.txt",
    '...',
    'a$&b',
    '$1.txt',
  ]) {
    assert.equal((await post(direct_url, fill(fields, new Blob([name]), name))).status, 204, name)
    assert.equal(await text(await storage.read(PREFIX + name)), name)
  }
  const kept = (await filesIn(folder)).length
  for (const name of [
    '../a',
    'a/b',
    'a\\b',
    '..',
    '.',
    '/etc/passwd',
    'a\tb',
    'a\u0085b',
    'a\u0000b',
    'x'.repeat(1_000),
  ]) {
    const replaced = { ...fields, key: PREFIX + name }
    assert.equal((await post(direct_url, fill(replaced, new Blob(['x'])))).status, 400, JSON.stringify(name))
  }
  for (const name of ['../a', 'a/b', 'a\\b', '..']) {
    assert.equal((await post(direct_url, fill(fields, new Blob(['x']), name))).status, 400, name)
  }
  assert.equal((await post(direct_url, fill({ ...fields, key: PREFIX }, new Blob(['x'])))).status, 400)
  assert.equal((await filesIn(folder)).length, kept)
})

test('a policy that was not signed here, was changed or has expired is refused', async (t) => {
  const { storage, folder, clock } = await start(t)
  const { fields, direct_url } = await storage.uploadForm(FORM)
  const other = createDiskStorage({ folder, secret: Buffer.from('another'), publicUrl: 'http://x', clock })
  const foreign = await other.uploadForm(FORM)
  const opened = JSON.parse(Buffer.from(fields.policy!, 'base64').toString())
  opened.conditions.push(['starts-with', '$key', ''])

  const wrong: Record<string, string>[] = [
    foreign.fields,
    { ...fields, policy: Buffer.from(JSON.stringify(opened)).toString('base64') },
    { ...fields, policy: 'nonsense' },
    { ...fields, 'x-amz-signature': '0'.repeat(64) },
    { ...fields, 'x-amz-signature': '' },
    { ...fields, 'x-amz-algorithm': 'none' },
    { ...fields, 'x-amz-credential': fields['x-amz-credential']!.replace('disk', 'root') },
    { ...fields, 'x-amz-date': '20200101T000000Z' },
    { ...fields, acl: 'public-read' },
    { ...fields, 'Content-Disposition': 'inline' },
    { ...fields, key: 'attaches/files/8/somebody/else.txt' },
    { ...fields, key: '' },
    {},
  ]
  for (const [index, changed] of wrong.entries()) {
    assert.equal((await post(direct_url, fill(changed, new Blob(['x'])))).status, 403, `case ${index}`)
  }
  clock.at_ms += FORM.expires_in_s * 1_000
  const late = await post(direct_url, fill(fields, new Blob(['x'])))
  assert.deepEqual(late, { status: 403, text: 'the policy has expired' })
  assert.deepEqual(await filesIn(folder), [])
})

test('a file over the size is refused and leaves nothing behind', async (t) => {
  const { storage, folder } = await start(t)
  const { fields, direct_url } = await storage.uploadForm(FORM)

  assert.equal((await post(direct_url, fill(fields, new Blob([Buffer.alloc(1_000)])))).status, 204)
  await storage.remove(`${PREFIX}a.txt`)
  assert.equal((await post(direct_url, fill(fields, new Blob([Buffer.alloc(1_001)])))).status, 400)
  assert.equal((await post(direct_url, fill(fields, new Blob([Buffer.alloc(5_000_000)])))).status, 400)
  assert.deepEqual(await filesIn(folder), [])
})

test('the file is the last field: what follows it is ignored', async (t) => {
  const { storage, folder } = await start(t)
  const { fields, direct_url } = await storage.uploadForm(FORM)
  const trailing = fill(fields, new Blob(['first']), 'first.txt')
  trailing.append('key', 'attaches/files/1/other/x')
  trailing.append('file', new Blob(['second']), 'second.txt')
  assert.equal((await post(direct_url, trailing)).status, 204)
  assert.equal(await text(await storage.read(`${PREFIX}first.txt`)), 'first')
  assert.equal(await storage.stat(`${PREFIX}second.txt`), undefined)
  await storage.remove(`${PREFIX}first.txt`)

  const early = new FormData()
  early.set('file', new Blob(['x']), 'a.txt')
  for (const [field, value] of Object.entries(fields)) early.set(field, value)
  assert.equal((await post(direct_url, early)).status, 403)
  assert.equal((await post(direct_url, fill(fields))).status, 400)
  assert.deepEqual(await filesIn(folder), [])
})

test('a body that is no form is refused', async (t) => {
  const { storage, folder } = await start(t)
  const { direct_url } = await storage.uploadForm(FORM)
  const bodies: [string, string][] = [
    ['application/json', '{}'],
    ['multipart/form-data', 'x'],
    ['multipart/form-data; boundary=b', 'nothing of the kind'],
    ['multipart/form-data; boundary=b', ''],
    [
      'multipart/form-data; boundary=b',
      '--b\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\nabc',
    ],
    ['multipart/form-data; boundary=b', '--b\r\nbroken header\r\n\r\nabc\r\n--b--'],
    ['application/x-www-form-urlencoded', 'key=a'],
  ]
  for (const [type, body] of bodies) {
    const reply = await fetch(direct_url, { method: 'POST', body, headers: { 'content-type': type } })
    assert(reply.status === 400 || reply.status === 403, `${type} ${body}: ${reply.status}`)
  }
  assert.deepEqual(await filesIn(folder), [])
})

test('an upload that breaks off leaves nothing behind', async (t) => {
  const { storage, folder, port } = await start(t)
  const form = await storage.uploadForm({ ...FORM, max_bytes: 10_000_000 })
  const parts = Object.entries(form.fields).map(([name, value]) => field(name, value))
  const file = '--b\r\nContent-Disposition: form-data; name="file"; filename="a.txt"\r\n\r\n'
  const body = `${parts.join('')}${file}${'x'.repeat(200_000)}`

  const outcome = storage.acceptUpload(
    { 'content-type': 'multipart/form-data; boundary=b' },
    Readable.from([Buffer.from(body)], { objectMode: false }),
  )
  assert.equal((await outcome).status, 400)

  const wholeFileButNoEnd = `${body}\r\n--b\r\nContent-Disposition: form-data; name="more"\r\n\r\nx`
  const unfinished = storage.acceptUpload(
    { 'content-type': 'multipart/form-data; boundary=b' },
    Readable.from([Buffer.from(wholeFileButNoEnd)], { objectMode: false }),
  )
  assert.equal((await unfinished).status, 400)

  const socket = connect(port, '127.0.0.1')
  const head = [
    `POST ${UPLOAD_PATH} HTTP/1.1`,
    'Host: x',
    'Content-Type: multipart/form-data; boundary=b',
    'Content-Length: 9000000',
  ]
  socket.write(`${head.join('\r\n')}\r\n\r\n${body}`)
  await until(async () => (await filesIn(folder)).length === 1)
  socket.destroy()
  await until(async () => (await filesIn(folder)).length === 0)
})

test('a large upload streams through little memory', async (t) => {
  const { storage } = await start(t)
  const size = 96 * 1024 * 1024
  const { fields } = await storage.uploadForm({ ...FORM, max_bytes: size })
  const block = Buffer.alloc(65_536, 'block')
  let most_bytes = 0
  async function* body() {
    for (const [name, value] of Object.entries(fields)) yield Buffer.from(field(name, value))
    yield Buffer.from('--b\r\nContent-Disposition: form-data; name="file"; filename="big"\r\n\r\n')
    for (let sent = 0; sent < size; sent += block.length) {
      yield Buffer.from(block)
      most_bytes = Math.max(most_bytes, process.memoryUsage().arrayBuffers)
    }
    yield Buffer.from('\r\n--b--\r\n')
  }
  const before_bytes = process.memoryUsage().arrayBuffers

  const stream = Readable.from(body(), { objectMode: false })
  const outcome = await storage.acceptUpload({ 'content-type': 'multipart/form-data; boundary=b' }, stream)

  assert.equal(outcome.status, 204)
  assert.deepEqual(await storage.stat(`${PREFIX}big`), { size })
  assert(most_bytes - before_bytes < size / 2, `${most_bytes - before_bytes} bytes were held`)
})

test('our policies and those of the S3 client are signed alike', async () => {
  const credentials = {
    accessKeyId: 'AKIDEXAMPLE',
    secretAccessKey: 'wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY',
  }
  const client = new S3Client({ region: 'eu-west-1', credentials })
  const { fields } = await createPresignedPost(client, {
    Bucket: 'bucket',
    Key: `${PREFIX}a.txt`,
    Conditions: [['content-length-range', 0, 5]],
  })
  const lower = new Map(Object.entries(fields).map(([name, value]) => [name.toLowerCase(), value]))
  const signer = { access_key_id: 'AKIDEXAMPLE', secret: credentials.secretAccessKey, region: 'eu-west-1' }

  assert.deepEqual(judgePostForm(signer, lower, Date.now()), {
    ok: true,
    min_bytes: 0,
    max_bytes: 5,
    key_prefix: '',
  })
  assert.equal(judgePostForm({ ...signer, secret: 'other' }, lower, Date.now()).ok, false)
})

test('objects are written, read in part, replaced and removed', async (t) => {
  const { storage, folder } = await start(t)
  const key = 'exports/1/archive.zip'

  assert.equal(await storage.stat(key), undefined)
  await assert.rejects(storage.read(key), NoSuchObject)
  assert.deepEqual(await storage.write(key, Buffer.from('0123456789'), 'application/zip'), { size: 10 })
  assert.equal(await text(await storage.read(key, { start: 2, end: 4 })), '234')
  assert.equal(await text(await storage.read(key, { start: 7 })), '789')

  assert.deepEqual(await storage.write(key, Readable.from([Buffer.from('new'), Buffer.from('er')])), {
    size: 5,
  })
  assert.equal(await text(await storage.read(key)), 'newer')

  const broken = Readable.from(
    (async function* () {
      yield Buffer.from('half')
      throw new Error('source broke')
    })(),
  )
  await assert.rejects(storage.write(key, broken), /source broke/)
  assert.equal(await text(await storage.read(key)), 'newer')

  await storage.remove(key)
  await storage.remove(key)
  assert.equal(await storage.stat(key), undefined)
  assert.deepEqual(await filesIn(folder), [])
})

test('no key can leave the folder', async (t) => {
  const { storage, folder } = await start(t)
  for (const key of ['../../escape', '/etc/escape', 'a/../../../escape', '..', '\u0000', 'C:\\escape', '']) {
    await storage.write(key, Buffer.from(key))
    assert.equal(await text(await storage.read(key)), key)
  }
  const names = (await filesIn(folder)).map((path) => path.slice(folder.length))
  for (const name of names) assert.match(name, /^\/objects\/[0-9a-f]{2}\/[0-9a-f]{2}\/[0-9a-f]{64}(\.json)?$/)
  const hash = createHash('sha256').update('../../escape').digest('hex')
  assert(names.some((name) => name.endsWith(hash)))
})

test('a link gives its object to whoever has it, until it expires', async (t) => {
  const { storage, clock } = await start(t)
  const key = `${PREFIX}мой файл #1?.png`
  await storage.write(key, Buffer.from('0123456789'))
  const url = await storage.signedUrl(key, {
    ...LINK,
    filename: 'мой файл.png',
    content_type: 'image/png',
    disposition: 'inline',
  })
  assert.equal(
    url,
    await storage.signedUrl(key, {
      ...LINK,
      filename: 'мой файл.png',
      content_type: 'image/png',
      disposition: 'inline',
    }),
  )

  const reply = await fetch(url)
  assert.equal(reply.status, 200)
  assert.equal(await reply.text(), '0123456789')
  assert.equal(reply.headers.get('content-type'), 'image/png')
  assert.equal(reply.headers.get('content-length'), '10')
  assert.match(
    reply.headers.get('content-disposition')!,
    /^inline; .*filename\*=UTF-8''%D0%BC%D0%BE%D0%B9%20/,
  )
  assert.equal(reply.headers.get('x-content-type-options'), 'nosniff')
  assert.equal(reply.headers.get('content-security-policy'), "sandbox; default-src 'none'")
  assert.equal(reply.headers.get('cache-control'), 'private, max-age=3600')

  const head = await fetch(url, { method: 'HEAD' })
  assert.equal(head.headers.get('content-length'), '10')
  assert.equal(await head.text(), '')

  for (const [from, to] of [
    ['expires=', 'expires=9'],
    ['inline', 'attachment'],
    ['name=', 'name=x'],
    ['signature=', 'signature=x'],
    ['image%2Fpng', 'text%2Fhtml'],
    ['%231', '%232'],
  ]) {
    assert(url.includes(from!), from)
    assert.equal((await fetch(url.replace(from!, to!))).status, 403, from)
  }
  assert.equal((await fetch(url.slice(0, url.indexOf('?')))).status, 403)

  const gone = await storage.signedUrl('never/was', LINK)
  assert.equal((await fetch(gone)).status, 404)

  clock.at_ms = LINK.expires_at.getTime()
  assert.equal((await fetch(url)).status, 403)
})

test('a page that was uploaded is never a page that is served', async (t) => {
  const { storage } = await start(t)
  await storage.write('a.html', Buffer.from('<script>alert(1)</script>'), 'text/html')
  const options = { ...LINK, filename: 'a.html', content_type: 'text/html', disposition: 'inline' } as const
  const reply = await fetch(await storage.signedUrl('a.html', options))

  assert.equal(reply.headers.get('content-type'), 'application/octet-stream')
  assert.match(reply.headers.get('content-disposition')!, /^attachment;/)
  await reply.text()
})

test('parts of an object are served, and nothing that the caller has already', async (t) => {
  const { storage } = await start(t)
  await storage.write('digits', Buffer.from('0123456789'))
  const url = await storage.signedUrl('digits', LINK)
  const ask = async (headers: Record<string, string>) => {
    const reply = await fetch(url, { headers })
    return [reply.status, reply.headers.get('content-range'), await reply.text()]
  }
  assert.deepEqual(await ask({ range: 'bytes=2-4' }), [206, 'bytes 2-4/10', '234'])
  assert.deepEqual(await ask({ range: 'bytes=-2' }), [206, 'bytes 8-9/10', '89'])
  assert.deepEqual(await ask({ range: 'bytes=8-' }), [206, 'bytes 8-9/10', '89'])
  assert.deepEqual(await ask({ range: 'bytes=10-' }), [416, 'bytes */10', ''])
  assert.deepEqual(await ask({ range: 'bytes=0-1,4-5' }), [200, null, '0123456789'])

  const etag = (await fetch(url)).headers.get('etag')!
  assert.deepEqual(await ask({ 'if-none-match': etag }), [304, null, ''])
  assert.deepEqual(await ask({ 'if-none-match': '"other"' }), [200, null, '0123456789'])
  assert.deepEqual(await ask({ range: 'bytes=2-4', 'if-range': etag }), [206, 'bytes 2-4/10', '234'])
  assert.deepEqual(await ask({ range: 'bytes=2-4', 'if-range': '"other"' }), [200, null, '0123456789'])

  await storage.write('digits', Buffer.from('abcdefghij'))
  assert.deepEqual(await ask({ 'if-none-match': etag }), [200, null, 'abcdefghij'])
})

test('what a crash left half-written goes after a day', async (t) => {
  const { storage, folder } = await start(t)
  await storage.write('a', Buffer.from('a'))
  const [old, young] = [join(folder, 'parts', 'old'), join(folder, 'parts', 'young')]
  for (const path of [old, young]) await writeFile(path, 'half')
  const longAgo = new Date(Date.now() - 2 * 86_400_000)
  await utimes(old, longAgo, longAgo)

  await storage.removeStaleParts()

  const left = await filesIn(folder)
  assert(left.includes(young))
  assert(!left.includes(old))
  assert.deepEqual(await storage.stat('a'), { size: 1 })
})

function field(name: string, value: string) {
  return `--b\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`
}

async function until(met: () => Promise<boolean>) {
  const deadline_ms = performance.now() + 10_000
  while (!(await met())) assert(performance.now() < deadline_ms, 'it did not happen in time')
}
