import type { IncomingMessage } from 'node:http'
import type { FastifyInstance } from 'fastify'

/** Slower than this over a whole window, a body is not waited for: about 1 kB a second. */
const WINDOW_MS = 30_000
const BYTES_AT_LEAST = 32 * 1024

function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0
}

/** Ends connections that send their body too slowly; uploads may take as long as bytes arrive. */
export function endSlowBodies(app: FastifyInstance, window_ms = WINDOW_MS, bytes_at_least = BYTES_AT_LEAST) {
  app.addHook('onRequest', (request, _reply, done) => {
    const { raw } = request
    if (hasBody(raw)) watch(raw, window_ms, bytes_at_least)
    done()
  })
}

function watch(request: IncomingMessage, window_ms: number, bytes_at_least: number) {
  const { socket } = request
  let seen = socket.bytesRead
  const timer = setInterval(() => {
    if (request.complete || socket.destroyed) return clearInterval(timer)
    if (socket.bytesRead - seen < bytes_at_least && !backedUp(request)) socket.destroy()
    seen = socket.bytesRead
  }, window_ms).unref()
  request.once('end', () => clearInterval(timer))
}

/** Bytes that have arrived and that we have not taken yet: then it is the server that is slow. */
function backedUp(request: IncomingMessage): boolean {
  return request.readableLength >= request.readableHighWaterMark
}
