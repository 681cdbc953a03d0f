import type { IncomingMessage } from 'node:http'
import type { FastifyInstance } from 'fastify'

/** Slower than this over a whole window, a body is not waited for: about 1 kB a second. */
const WINDOW_MS = 30_000
const BYTES_AT_LEAST = 32 * 1024
/** Bodies are looked at together, so often in a window: a timer for each costs more than reading a short one. */
const LOOKS = 20

interface Open {
  /** How many looks are left until its window is over. */
  left: number
  /** What had arrived on its connection when the window began. */
  seen: number
}

function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0
}

/** Ends connections that send their body too slowly; uploads may take as long as bytes arrive. */
export function endSlowBodies(app: FastifyInstance, window_ms = WINDOW_MS, bytes_at_least = BYTES_AT_LEAST) {
  const open = new Map<IncomingMessage, Open>()
  app.addHook('onRequest', ({ raw }, _reply, done) => {
    // The first window may begin between two looks.
    if (hasBody(raw)) open.set(raw, { left: LOOKS + 1, seen: raw.socket.bytesRead })
    done()
  })
  app.addHook('onResponse', ({ raw }, _reply, done) => {
    // A request that is made in this process has no connection, and nothing of it is ever on the way.
    if (raw.complete !== false) open.delete(raw)
    done()
  })
  const timer = setInterval(() => {
    for (const [request, body] of open) look(request, body)
  }, window_ms / LOOKS).unref()
  app.addHook('onClose', async () => clearInterval(timer))

  function look(request: IncomingMessage, body: Open) {
    const { socket } = request
    if (request.complete || socket.destroyed) return open.delete(request)
    body.left -= 1
    if (body.left > 0) return
    if (socket.bytesRead - body.seen < bytes_at_least && !backedUp(request)) socket.destroy()
    body.left = LOOKS
    body.seen = socket.bytesRead
  }
}

/** Bytes that have arrived and that we have not taken yet: then it is the server that is slow. */
function backedUp(request: IncomingMessage): boolean {
  return request.readableLength >= request.readableHighWaterMark
}
