import type { FastifyInstance } from 'fastify'
import type { Config } from '../config.js'

const HEADERS = 'Authorization, Content-Type, Idempotency-Key, Last-Event-ID, Parley-Dry-Run, X-Request-Id'
const METHODS = 'GET, POST, PUT, DELETE'
const EXPOSED =
  'Parley-Dry-Run, Parley-Ignored, Parley-Rule, Parley-Would, RateLimit, RateLimit-Policy, Retry-After, X-Request-Id'
const KNOWN_FOR_S = '600'

/**
 * Lets a client in a browser call from the origin of PARLEY_APP_URL, where that is another one (CORS). It brings a token:
 * cookies are for our own origin.
 */
export function allowClientOrigin(app: FastifyInstance, { public_url, app_url }: Config) {
  const { origin } = new URL(app_url)
  if (origin === new URL(public_url).origin) return
  app.addHook('onRequest', (request, reply, done) => {
    if (request.headers.origin !== origin) return done()
    reply.header('Access-Control-Allow-Origin', origin).header('Access-Control-Expose-Headers', EXPOSED)
    if (request.method !== 'OPTIONS') return done()
    reply.header('Access-Control-Allow-Methods', METHODS).header('Access-Control-Allow-Headers', HEADERS)
    reply.header('Access-Control-Max-Age', KNOWN_FOR_S).status(204).send()
  })
}
