import assert from 'node:assert/strict'
import { once } from 'node:events'
import type { IncomingMessage } from 'node:http'
import { connect } from 'node:net'
import { type TestContext, test } from 'node:test'
import Fastify from 'fastify'
import { endSlowBodies } from './slow-bodies.js'

const WINDOW_MS = 100
const BYTES_AT_LEAST = 100
/** A window begins at a look at the latest. */
const LOOK_MS = WINDOW_MS / 20

/** Sends the head of a request; its body comes, and its time passes, as the test says. */
async function open(t: TestContext, path: string, bytes: number) {
  t.mock.timers.enable({ apis: ['setInterval'] })
  const app = Fastify()
  endSlowBodies(app, WINDOW_MS, BYTES_AT_LEAST)
  const arrived = new Promise<IncomingMessage>((resolve) => {
    app.addHook('onRequest', async ({ raw }) => resolve(raw))
  })
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
  // A reset is an end as well, and `once` would reject on it.
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()))
  const answered = once(socket, 'data').then(String)
  socket.write(`POST ${path} HTTP/1.1\r\nHost: a\r\nContent-Length: ${bytes}\r\n\r\n`)
  const { socket: far } = await arrived
  return {
    closed,
    answered,
    /** What is sent in one window. */
    async send(chunk: string) {
      const all = far.bytesRead + chunk.length
      socket.write(chunk)
      while (far.bytesRead < all) await new Promise((resolve) => setImmediate(resolve))
      t.mock.timers.tick(WINDOW_MS + LOOK_MS)
    },
  }
}

for (const path of ['/read', '/nowhere'])
  test(`a body that trickles in to ${path} is not waited for`, async (t) => {
    const { closed, answered, send } = await open(t, path, 1_000_000)
    answered.catch(() => {})
    await send('x')
    await closed
  })

test('a body that moves is read to its end, however many windows it takes', async (t) => {
  const { answered, send } = await open(t, '/read', 2_000)
  for (let sent = 0; sent < 2_000; sent += BYTES_AT_LEAST) await send('x'.repeat(BYTES_AT_LEAST))
  assert.match(await answered, /"size":2000/)
})
