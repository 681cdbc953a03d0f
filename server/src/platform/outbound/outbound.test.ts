import assert from 'node:assert/strict'
import { once } from 'node:events'
import type { Socket } from 'node:net'
import { type TestContext, test } from 'node:test'
import { generate } from 'selfsigned'
import { createOutbound, type OutboundOptions } from './outbound.js'
import { receive, receiveRaw, receiveTls } from './testing-receiver.js'

const LOOPBACK = { address: '127.0.0.1', family: 4 }
const METADATA = { address: '169.254.169.254', family: 4 }
const WAIT = { method: 'GET', timeout_ms: 10_000 } as const

function client(t: TestContext, options: Partial<OutboundOptions> = {}) {
  const outbound = createOutbound({ allow: [], allowLoopback: true, ...options })
  t.after(() => outbound.close())
  return outbound
}

test('a request arrives as it was written and the answer comes back whole', async (t) => {
  const { port } = await receive(t, async (request, reply) => {
    const chunks = await request.toArray()
    reply.setHeader('set-cookie', ['a=1', 'b=2'])
    reply.writeHead(202, { 'x-seen': String(request.headers['x-mark']) })
    reply.end(`${request.method} ${request.url} ${request.headers.host} ${Buffer.concat(chunks)}`)
  })
  const outbound = client(t)
  let sent = 0

  const answer = await outbound.request({
    url: `http://127.0.0.1:${port}/hook?a=%20b#part`,
    method: 'POST',
    headers: { 'X-Mark': 'here', Host: 'elsewhere.example' },
    body: 'привет',
    timeout_ms: 10_000,
    onSent: () => sent++,
  })

  assert.equal(answer.status, 202)
  assert.equal(answer.body.toString(), `POST /hook?a=%20b 127.0.0.1:${port} привет`)
  assert.equal(answer.headers['x-seen'], 'here')
  assert.equal(answer.headers['set-cookie'], 'a=1, b=2')
  assert.equal(answer.truncated, false)
  assert.equal(sent, 1)
  assert(answer.duration_ms > 0)
})

test('a redirect is an answer and is not followed', async (t) => {
  const asked: string[] = []
  const { port } = await receive(t, (request, reply) => {
    asked.push(request.url!)
    reply.writeHead(302, { location: '/inside' }).end()
  })

  const answer = await client(t).request({ ...WAIT, url: `http://127.0.0.1:${port}/` })

  assert.equal(answer.status, 302)
  assert.equal(answer.headers.location, '/inside')
  assert.deepEqual(asked, ['/'])
})

test('a private target is refused and never connected to', async (t) => {
  const receiver = await receive(t, (_request, reply) => reply.end())
  const outbound = client(t, { allowLoopback: false })

  for (const host of ['127.0.0.1', '2130706433', '0177.0.0.1', '0x7f.1', '[::ffff:127.0.0.1]', 'localhost']) {
    const url = `http://${host}:${receiver.port}/`
    await assert.rejects(outbound.request({ ...WAIT, url }), { kind: 'refused_target' }, host)
    assert.equal((await outbound.check(url)).ok, false, host)
  }
  await assert.rejects(outbound.request({ ...WAIT, url: 'ftp://example.com/' }), { kind: 'invalid_url' })
  assert.deepEqual(await outbound.check('https://example.com/'), { ok: true })
  assert.equal(receiver.connections(), 0)
})

test('a name with several addresses is refused when one of them is private', async (t) => {
  const receiver = await receive(t, (_request, reply) => reply.end())
  const outbound = client(t, { resolve: async () => [LOOPBACK, METADATA] })

  const refused = outbound.request({ ...WAIT, url: `http://mixed.example:${receiver.port}/` })

  await assert.rejects(refused, { kind: 'refused_target' })
  assert.equal(receiver.connections(), 0)
})

test('a name that changes its answer is resolved once a connection and cannot get through', async (t) => {
  const receiver = await receive(t, (_request, reply) => reply.end('inside'))
  const answers = [[LOOPBACK], [METADATA], [LOOPBACK]]
  let lookups = 0
  const outbound = client(t, {
    allow: ['127.0.0.1'],
    allowLoopback: false,
    resolve: async () => answers[lookups++] ?? [],
  })
  const request = () => outbound.request({ ...WAIT, url: `http://rebind.example:${receiver.port}/` })

  assert.equal((await request()).status, 200)
  assert.equal(lookups, 1)
  assert.equal((await request()).status, 200)
  assert.equal(lookups, 1, 'the kept connection leads to the address that was checked')
  assert.equal(receiver.connections(), 1)

  receiver.cut()
  await eventually(() => assert.rejects(request(), { kind: 'refused_target' }))
  assert.equal(lookups, 2)
  assert.equal(receiver.connections(), 1)

  assert.equal((await request()).status, 200)
  assert.equal(receiver.connections(), 2)
})

test('an allowed host name may lead to a private address', async (t) => {
  const { port } = await receive(t, (request, reply) => reply.end(request.headers.host))
  const outbound = client(t, {
    allow: ['hooks.internal'],
    allowLoopback: false,
    resolve: async () => [LOOPBACK],
  })

  const answer = await outbound.request({ ...WAIT, url: `http://hooks.internal:${port}/` })
  assert.equal(answer.body.toString(), `hooks.internal:${port}`)

  const other = outbound.request({ ...WAIT, url: `http://other.internal:${port}/` })
  await assert.rejects(other, { kind: 'refused_target' })
})

test('a name without an address is a dns error', async (t) => {
  const outbound = client(t, {
    resolve: async (host) => {
      if (host === 'gone.example') throw new Error('NXDOMAIN')
      return []
    },
  })
  await assert.rejects(outbound.request({ ...WAIT, url: 'http://gone.example/' }), { kind: 'dns' })
  await assert.rejects(outbound.request({ ...WAIT, url: 'http://empty.example/' }), { kind: 'dns' })
})

test('connections are kept and used again, and not by more than were allowed', async (t) => {
  const receiver = await receive(t, (_request, reply) => reply.end('ok'))
  const outbound = client(t, { maxConnectionsPerOrigin: 2 })
  const url = `http://127.0.0.1:${receiver.port}/`

  for (let i = 0; i < 20; i++) await outbound.request({ ...WAIT, url })
  assert.equal(receiver.connections(), 1)

  await Promise.all(Array.from({ length: 20 }, () => outbound.request({ ...WAIT, url })))
  assert.equal(receiver.connections(), 2)
})

test('a host that hangs holds up only itself', async (t) => {
  const hanging = await receive(t, () => {})
  const swift = await receive(t, (_request, reply) => reply.end('ok'))
  const outbound = client(t, { maxConnectionsPerOrigin: 2 })
  const stuck = Array.from({ length: 6 }, () =>
    outbound.request({ method: 'GET', url: `http://127.0.0.1:${hanging.port}/`, timeout_ms: 300 }),
  )
  const settled = Promise.allSettled(stuck)

  const answer = await outbound.request({ ...WAIT, url: `http://127.0.0.1:${swift.port}/` })

  assert.equal(answer.status, 200)
  for (const result of await settled) {
    assert.equal(result.status, 'rejected')
    assert.equal(result.reason.kind, 'timeout')
  }
})

test('an origin serves again after requests that were given up in its queue', async (t) => {
  let hang = true
  const { port } = await receive(t, (_request, reply) => {
    if (!hang) reply.end('ok')
  })
  const outbound = client(t, { maxConnectionsPerOrigin: 1 })
  const url = `http://127.0.0.1:${port}/`
  const stuck = Array.from({ length: 3 }, () => outbound.request({ method: 'GET', url, timeout_ms: 100 }))
  await Promise.allSettled(stuck)
  hang = false

  assert.equal((await outbound.request({ ...WAIT, url })).status, 200)
})

test('the deadline covers lookup, headers and body', async (t) => {
  const slowBody = await receive(t, (_request, reply) => {
    reply.writeHead(200)
    const drip = setInterval(() => reply.write('.'), 10)
    reply.on('close', () => clearInterval(drip))
  })
  const slowHeaders = await receiveRaw(t, (socket) => socket.write('HTTP/1.1 200 OK\r\nX-Slow'))
  const outbound = client(t, {
    resolve: (host) => (host === 'lost.example' ? new Promise(() => {}) : Promise.resolve([LOOPBACK])),
  })
  const urls = [
    `http://127.0.0.1:${slowBody.port}/`,
    `http://127.0.0.1:${slowHeaders.port}/`,
    'http://lost.example/',
  ]
  for (const url of urls) {
    await assert.rejects(outbound.request({ method: 'GET', url, timeout_ms: 150 }), { kind: 'timeout' }, url)
  }
})

test('an answer over the limit is cut and its connection closed', async (t) => {
  let closed: Promise<unknown> | undefined
  const receiver = await receive(t, (_request, reply) => {
    closed = once(reply, 'close')
    const pour = () => {
      while (!reply.destroyed && reply.write(Buffer.alloc(65_536, 'x')));
    }
    reply.on('drain', pour)
    pour()
  })
  const outbound = client(t)

  const answer = await outbound.request({
    ...WAIT,
    url: `http://127.0.0.1:${receiver.port}/`,
    max_bytes: 100_000,
  })

  assert.equal(answer.truncated, true)
  assert.equal(answer.body.length, 100_000)
  await closed
})

test('an answer of exactly the limit is whole', async (t) => {
  const { port } = await receive(t, (_request, reply) => reply.end(Buffer.alloc(1_000)))

  const answer = await client(t).request({ ...WAIT, url: `http://127.0.0.1:${port}/`, max_bytes: 1_000 })

  assert.equal(answer.truncated, false)
  assert.equal(answer.body.length, 1_000)
})

test('what breaks is named: connect, reset, protocol', async (t) => {
  const outbound = client(t)
  const kind = (port: number) => outbound.request({ ...WAIT, url: `http://127.0.0.1:${port}/` })

  const reset = await receiveRaw(t, (socket) => socket.on('data', () => socket.resetAndDestroy()))
  await assert.rejects(kind(reset.port), { kind: 'reset' })

  const halfway = await receiveRaw(t, (socket) =>
    socket.on('data', () => socket.end('HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabc')),
  )
  await assert.rejects(kind(halfway.port), { kind: 'reset' })

  const nonsense = await receiveRaw(t, (socket) =>
    socket.on('data', () => socket.end('SSH-2.0-hello\r\n\r\n')),
  )
  await assert.rejects(kind(nonsense.port), { kind: 'protocol' })

  const server = await receiveRaw(t, (socket: Socket) => socket.destroy())
  await assert.rejects(kind(server.port), { kind: 'reset' })
  await assert.rejects(kind(1), { kind: 'connect' })
})

test('the caller may give a request up', async (t) => {
  const { port } = await receive(t, () => {})
  const giveUp = new AbortController()
  const url = `http://127.0.0.1:${port}/`
  const reason = new Error('shutting down')

  const pending = client(t).request({
    ...WAIT,
    url,
    signal: giveUp.signal,
    onSent: () => giveUp.abort(reason),
  })

  await assert.rejects(pending, reason)
  await assert.rejects(client(t).request({ ...WAIT, url, signal: giveUp.signal }), reason)
})

test('TLS is verified for the name of the URL, at the address that was checked', async (t) => {
  const names = { name: 'subjectAltName' as const, altNames: [{ type: 2 as const, value: 'good.example' }] }
  const pair = await generate([{ name: 'commonName', value: 'good.example' }], { extensions: [names] })
  const seen: unknown[] = []
  const { port } = await receiveTls(t, { key: pair.private, cert: pair.cert }, (request, reply) => {
    seen.push((request.socket as unknown as { servername: string }).servername)
    reply.end('ok')
  })
  const trusting = client(t, { resolve: async () => [LOOPBACK], ca: pair.cert })
  const strict = client(t, { resolve: async () => [LOOPBACK] })

  const answer = await trusting.request({ ...WAIT, url: `https://good.example:${port}/` })
  assert.equal(answer.status, 200)
  assert.deepEqual(seen, ['good.example'])

  await assert.rejects(trusting.request({ ...WAIT, url: `https://bad.example:${port}/` }), { kind: 'tls' })
  await assert.rejects(trusting.request({ ...WAIT, url: `https://127.0.0.1:${port}/` }), { kind: 'tls' })
  await assert.rejects(strict.request({ ...WAIT, url: `https://good.example:${port}/` }), { kind: 'tls' })
  assert.equal(seen.length, 1)
})

test('closing ends what is open', async (t) => {
  const { port } = await receive(t, () => {})
  const outbound = client(t)
  let pending: Promise<unknown> | undefined
  await new Promise<void>((sent) => {
    pending = outbound.request({ ...WAIT, url: `http://127.0.0.1:${port}/`, onSent: sent })
    pending.catch(() => {})
  })

  await outbound.close()
  await assert.rejects(pending!, { kind: 'reset' })
})

/** Tries again while the pool has not yet noticed that a connection was cut. */
async function eventually(attempt: () => Promise<void>) {
  for (let left = 50; ; left--) {
    try {
      return await attempt()
    } catch (error) {
      if (left === 0) throw error
      await new Promise((resolve) => setImmediate(resolve))
    }
  }
}
