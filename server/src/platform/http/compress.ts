import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import type { DoneFuncWithErrOrRes, FastifyReply, FastifyRequest } from 'fastify'
import { configOf } from './route-config.js'

const compress = promisify(gzip)
const FROM_BYTES = 1024
/** A page of 50 messages: 29 kB become 3.4 kB in 0.2 ms. Brotli of the same cost saves 4 % more, level 6 takes 0.35 ms. */
const LEVEL = 3

/** Fields that hold a credential. */
const SECRETS = new Set([
  'token',
  'access_token',
  'refresh_token',
  'client_secret',
  'signing_secret',
  'webhook_secret',
])

/** Whether answers of this shape can hold a secret: the length of a compressed answer would leak information about it. */
export function holdsSecret(schema: unknown): boolean {
  if (typeof schema !== 'object' || schema === null) return false
  const { properties = {} } = schema as { properties?: object }
  if (Object.keys(properties).some((name) => SECRETS.has(name))) return true
  return Object.values(schema).some(holdsSecret)
}

function takesGzip(request: FastifyRequest): boolean {
  const header = request.headers['accept-encoding']
  return typeof header === 'string' && /(?:^|,)\s*gzip\s*(?:$|,|;(?!\s*q=0(?:\.0*)?\s*(?:$|,)))/i.test(header)
}

function isText(reply: FastifyReply): boolean {
  const type = String(reply.getHeader('content-type') ?? '')
  return (
    type.startsWith('application/json') || /^(application\/[\w.+-]+\+json|text\/(?!event-stream))/.test(type)
  )
}

function isLong(payload: unknown): payload is string | Buffer {
  return (typeof payload === 'string' || Buffer.isBuffer(payload)) && payload.length >= FROM_BYTES
}

/** Compresses what goes out as JSON or text and is worth it, as the last thing before it is sent. Streams go as they are. */
export function compressAnswer(
  request: FastifyRequest,
  reply: FastifyReply,
  payload: unknown,
  done: DoneFuncWithErrOrRes,
) {
  if (!isLong(payload) || !isText(reply) || reply.hasHeader('content-encoding')) return done()
  if (configOf(request).secret) return done()
  reply.header('vary', 'Accept-Encoding')
  if (!takesGzip(request)) return done()
  compress(payload, { level: LEVEL }).then((packed) => {
    reply.header('content-encoding', 'gzip').removeHeader('content-length')
    done(null, packed)
  }, done)
}
