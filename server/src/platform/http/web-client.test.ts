import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import Fastify from 'fastify'
import { world } from '../../testing/world.js'
import { serveClient } from './web-client.js'

const HTML = { Accept: 'text/html,application/xhtml+xml,*/*;q=0.8' }

test('every address of the client gives its page, which is asked for again each time', async (t) => {
  const { url } = await world(t)
  for (const path of ['/', '/chats/1?message=2', '/invite/1.abc', '/settings/look']) {
    const page = await fetch(url + path, { headers: HTML })
    assert.equal(page.status, 200, path)
    assert.match(page.headers.get('content-type') ?? '', /^text\/html/)
    assert.equal(page.headers.get('cache-control'), 'no-cache')
    assert.match(page.headers.get('content-security-policy') ?? '', /default-src 'none'; script-src 'self';/)
    assert.match(page.headers.get('content-security-policy') ?? '', /require-trusted-types-for 'script'$/)
    assert.match(await page.text(), /<div id="app">/)
  }
  const head = await fetch(url, { method: 'HEAD', headers: HTML })
  assert.equal(head.status, 200)
  const again = await fetch(url, { headers: { ...HTML, 'If-None-Match': head.headers.get('etag') ?? '' } })
  assert.equal(again.status, 304)
})

test('a page says whether the browser sent a session, also where it is unchanged, and nothing else says so', async (t) => {
  const { url } = await world(t)
  const { headers } = await fetch(url, { headers: HTML })
  const said = async (path: string, more: Record<string, string>) =>
    (await fetch(url + path, { headers: more })).headers.get('server-timing')
  const known = { ...HTML, 'If-None-Match': headers.get('etag') ?? '' }
  assert.equal(headers.get('server-timing'), 'session;desc=none')
  assert.equal(await said('/', { ...known, Cookie: 'parley_session=any' }), 'session;desc=sent')
  assert.equal(await said('/chats/1', { ...known, Cookie: 'other=any' }), 'session;desc=none')
  // What a service worker keeps for when there is no connection.
  assert.equal(await said('/index.html', {}), null)
})

test('hashed files are kept for good and come compressed as they were built', async (t) => {
  const { url } = await world(t)
  const page = await (await fetch(url, { headers: HTML })).text()
  const [script] = /\/assets\/index-[\w-]+\.js/.exec(page) ?? []
  assert.ok(script)
  for (const [accepted, encoding] of [
    ['br, gzip', 'br'],
    ['gzip', 'gzip'],
    ['identity', null],
  ] as const) {
    const answer = await fetch(url + script, { headers: { 'Accept-Encoding': accepted } })
    assert.equal(answer.headers.get('content-encoding'), encoding)
    assert.equal(answer.headers.get('cache-control'), 'public, max-age=31536000, immutable')
    assert.match(answer.headers.get('content-type') ?? '', /javascript/)
    await answer.arrayBuffer()
  }
})

test('a range that cannot be read is ignored', async (t) => {
  const { url } = await world(t)
  const whole = (await (await fetch(url, { headers: HTML })).arrayBuffer()).byteLength
  const asked = async (Range: string) => {
    const answer = await fetch(url, { headers: { ...HTML, 'Accept-Encoding': 'identity', Range } })
    return [answer.status, (await answer.arrayBuffer()).byteLength]
  }
  assert.deepEqual(await asked('bytes=2-5'), [206, 4])
  for (const odd of ['bytes=9-1', 'bytes=-5', 'bytes=1-2,4-5', 'lines=1-2'])
    assert.deepEqual(await asked(odd), [200, whole], odd)
})

test('what belongs to the server is no page: unknown addresses there stay 404', async (t) => {
  const { url } = await world(t)
  const paths = [
    '/v1/nothing',
    '/assets/gone.js',
    '/docs/x',
    '/oauth/x',
    '/.well-known/x',
    '/apps/x',
    '/storage',
  ]
  for (const path of paths) {
    const answer = await fetch(url + path, { headers: HTML })
    assert.equal(answer.status, 404, path)
    assert.match(answer.headers.get('content-type') ?? '', /^application\/json/, path)
  }
  const script = await fetch(`${url}/chats/1`, { headers: { Accept: 'application/json' } })
  assert.equal(script.status, 404)
  const write = await fetch(`${url}/chats/1`, { method: 'POST', headers: HTML })
  assert.equal(write.status, 404)
  const outside = await fetch(`${url}/assets/..%2f..%2fpackage.json`)
  assert.equal(outside.status, 404)
})

test('a client that is not built says so', async (t) => {
  const { ctx } = await world(t)
  const serve = serveClient(ctx.config, '/nowhere')
  const app = Fastify().setNotFoundHandler((request, reply) =>
    serve(request, reply) ? reply : reply.status(404).send(),
  )
  t.after(() => app.close())
  const page = await app.inject({ url: '/', headers: HTML })
  assert.equal(page.statusCode, 503)
  assert.match(page.body, /is not built/)
  assert.equal((await app.inject({ url: '/v1/x', headers: HTML })).statusCode, 404)
})

test('a file of the client that vanished ends its own answer, and nothing else', async (t) => {
  const { ctx } = await world(t)
  const folder = await mkdtemp(join(tmpdir(), 'parley-client-'))
  t.after(() => rm(folder, { recursive: true }))
  await writeFile(join(folder, 'index.html'), 'page')
  await writeFile(join(folder, 'gone.js'), 'script')
  const serve = serveClient(ctx.config, folder)
  const app = Fastify().setNotFoundHandler((request, reply) =>
    serve(request, reply) ? reply : reply.status(404).send(),
  )
  t.after(() => app.close())
  const url = await app.listen({ host: '127.0.0.1', port: 0 })
  await rm(join(folder, 'gone.js'))
  await assert.rejects(fetch(`${url}/gone.js`).then((answer) => answer.text()))
  assert.equal(await (await fetch(url, { headers: HTML })).text(), 'page')
})

test('long JSON is compressed, short answers and those with secrets are not', async (t) => {
  const { url, alice, owner } = await world(t)
  const read = async (path: string, token: string, accepted = 'gzip') => {
    const headers = { Authorization: `Bearer ${token}`, 'Accept-Encoding': accepted }
    const answer = await fetch(`${url}/v1${path}`, { headers })
    return { encoding: answer.headers.get('content-encoding'), text: await answer.text() }
  }
  const list = await read('/users', alice.token)
  assert.equal(list.encoding, 'gzip')
  assert.ok(JSON.parse(list.text).data.length > 3)
  for (const accepted of ['identity', 'br', 'gzip;q=0', 'deflate, gzip; q=0.0'])
    assert.equal((await read('/users', alice.token, accepted)).encoding, null, accepted)
  assert.equal((await read('/users', alice.token, 'br, gzip;q=0.5')).encoding, 'gzip')
  assert.equal((await read('/profile', alice.token)).encoding, null)
  const token = await read('/oauth/token/info', owner.token)
  assert.ok(token.text.length > 1024)
  assert.equal(token.encoding, null)
})
