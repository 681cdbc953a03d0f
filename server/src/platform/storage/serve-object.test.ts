import assert from 'node:assert/strict'
import { test } from 'node:test'
import { PREFIX, START_MS, start } from './testing-disk.js'

const LINK = {
  expires_at: new Date(START_MS + 3_600_000),
  filename: 'a.png',
  disposition: 'attachment',
} as const

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
