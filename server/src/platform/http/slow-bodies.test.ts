import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import { type TestContext, test } from 'node:test'
import Fastify from 'fastify'
import { endSlowBodies } from './slow-bodies.js'

const WINDOW_MS = 100

/** Sends the head of a request, and then its body at a pace, to the end. */
async function open(t: TestContext, path: string, bytes: number, chunk: string) {
  const app = Fastify()
  endSlowBodies(app, WINDOW_MS, 100)
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', (_request, _payload, done) => done(null))
  app.post('/read', async (request) => {
    let size = 0
    for await (const chunk of request.raw) size += chunk.length
    return { size }
  })
  await app.listen({ port: 0, host: '127.0.0.1' })
  const socket = connect((app.server.address() as { port: number }).port, '127.0.0.1')
  t.after(async () => {
    socket.destroy()
    await app.close()
  })
  socket.on('error', () => {})
  socket.resume()
  socket.write(`POST ${path} HTTP/1.1\r\nHost: a\r\nContent-Length: ${bytes}\r\n\r\n`)
  let left = bytes
  const sending = setInterval(() => {
    left -= chunk.length
    if (left >= 0) socket.write(chunk)
  }, 20)
  const closed = new Promise<void>((resolve) => {
    // A reset is an end as well, and `once` would reject on it.
    socket.once('close', () => {
      clearInterval(sending)
      resolve()
    })
  })
  return { socket, closed }
}

for (const path of ['/read', '/nowhere'])
  test(`a body that trickles in to ${path} is not waited for`, { timeout: 10_000 }, async (t) => {
    const { closed } = await open(t, path, 1_000_000, 'x')
    await closed
  })

test('a body that moves is read to its end, however many windows it takes', {
  timeout: 10_000,
}, async (t) => {
  const { socket } = await open(t, '/read', 2_000, 'x'.repeat(100))
  const [data] = await once(socket, 'data')
  assert.match(String(data), /"size":2000/)
})
