import assert from 'node:assert/strict'
import { connect } from 'node:net'
import { Readable } from 'node:stream'
import { test } from 'node:test'
import { UPLOAD_PATH } from './disk.js'
import { FORM, fill, PREFIX, post, start, text } from './testing-disk.js'
import { filesIn } from './testing-folder.js'

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
  assert.equal((await storage.stat(`${PREFIX}empty`))?.size, 0)
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
  assert.equal((await storage.stat(`${PREFIX}big`))?.size, size)
  assert(most_bytes - before_bytes < size / 2, `${most_bytes - before_bytes} bytes were held`)
})

function field(name: string, value: string) {
  return `--b\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`
}

async function until(met: () => Promise<boolean>) {
  const deadline_ms = performance.now() + 10_000
  while (!(await met())) assert(performance.now() < deadline_ms, 'it did not happen in time')
}
