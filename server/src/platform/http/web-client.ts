import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { FastifyReply, FastifyRequest } from 'fastify'
import sirv from 'sirv'
import type { Config } from '../config.js'
import { sessionCookieOf } from './session-cookie.js'

/** Paths of the server below its root that are not the client's; an unknown address there is no page. */
const SERVER_PATHS = [
  '/.well-known',
  '/apps',
  '/assets',
  '/avatars',
  '/docs',
  '/livez',
  '/metrics',
  '/oauth',
  '/openapi.json',
  '/readyz',
  '/sandbox',
  '/storage',
  '/webhooks',
]

/** Where rooms are while there is no video server. Nothing but the name of a room goes into another address. */
const MEET = /^\/meet\/([a-z0-9-]+)$/

/** Where the built client lies, built or not. */
export const CLIENT_FOLDER = fileURLToPath(new URL('../../../../web/dist', import.meta.url))

/** Scripts and styles of our own alone, and pictures from here or from the storage. */
function contentPolicy(config: Config): string {
  const addresses = [config.public_url, config.s3_public_endpoint ?? config.s3_endpoint]
  const storage = [...new Set(addresses.flatMap((url) => (url ? [new URL(url).origin] : [])))].join(' ')
  return [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    `img-src 'self' blob: data: ${storage}`,
    `media-src 'self' blob: data: ${storage}`,
    `connect-src 'self' ${storage}`,
    "font-src 'self'",
    "manifest-src 'self'",
    "worker-src 'self'",
    "form-action 'self'",
    "frame-ancestors 'none'",
    "base-uri 'none'",
    "require-trusted-types-for 'script'",
  ].join('; ')
}

function headersOf(config: Config) {
  return {
    'Content-Security-Policy': contentPolicy(config),
    'X-Content-Type-Options': 'nosniff',
    'Referrer-Policy': 'same-origin',
    'Cross-Origin-Opener-Policy': 'same-origin',
  }
}

const NOT_BUILT = `<!doctype html><html lang="en"><meta charset="utf-8"><title>Parley</title>
<p>The web client is not built. Run <code>npm run build</code> and start the server again.</p>
<p>The API is there: <a href="/docs">reference</a>.</p></html>
`

/** A file that was replaced since the start, or cannot be read, ends its own answer; nobody else listens to the error. */
function endWithFile(request: FastifyRequest, reply: FastifyReply) {
  reply.raw.once('pipe', (file) =>
    file.once('error', (error) => {
      request.log.warn({ err: error }, 'reading a file of the web client failed')
      reply.raw.destroy()
    }),
  )
}

const RANGE = /^bytes=(\d{1,15})-(\d{0,15})$/

/** Of ranges only those that say where they begin are read, and not before their end; any other is ignored, as HTTP has it. */
function dropOddRange({ headers }: FastifyRequest['raw']) {
  const [, start, end] = RANGE.exec(headers.range ?? '') ?? []
  if (start === undefined || (end && Number(end) < Number(start))) delete headers.range
}

/** Answers a request that no route took with a file or page of the client; false where it is none of them. */
export type ClientServer = (request: FastifyRequest, reply: FastifyReply) => boolean

export function serveClient(config: Config, folder = CLIENT_FOLDER): ClientServer {
  const reserved = [...config.api_prefixes, ...SERVER_PATHS]
  const headers = headersOf(config)
  const built = existsSync(join(folder, 'index.html'))
  const options = { etag: true, gzip: true, brotli: true }
  const files = built ? sirv(folder, { ...options, setHeaders }) : undefined
  const pages = built ? sirv(folder, { ...options, single: true, ignores: false, setHeaders }) : undefined

  function setHeaders(response: { setHeader(name: string, value: string): unknown }, path: string) {
    for (const [name, value] of Object.entries(headers)) response.setHeader(name, value)
    // The name of an asset changes with its content; everything else is asked for again.
    const caching = path.startsWith('/assets/') ? 'public, max-age=31536000, immutable' : 'no-cache'
    response.setHeader('Cache-Control', caching)
  }

  function isPage(request: FastifyRequest, path: string): boolean {
    const below = (prefix: string) => path === prefix || path.startsWith(`${prefix}/`)
    return (request.headers.accept ?? '').includes('text/html') && !reserved.some(below)
  }

  return (request, reply) => {
    if (request.method !== 'GET' && request.method !== 'HEAD') return false
    const path = request.url.split('?', 1)[0] as string
    const page = isPage(request, path)
    // Links from before there was a video server.
    const room = page && MEET.exec(path)?.[1]
    if (room && config.meet_url) {
      void reply.redirect(config.meet_url.replaceAll('{room}', () => room))
      return true
    }
    if (!files || !pages) {
      if (page) void reply.status(503).type('text/html; charset=utf-8').send(NOT_BUILT)
      return page
    }
    let taken = true
    const serve = page ? pages : files
    for (const [name, value] of Object.entries(reply.getHeaders())) reply.raw.setHeader(name, String(value))
    // Scripts cannot see the cookie; without one they need not ask who is signed in.
    if (page)
      reply.raw.setHeader('Server-Timing', `session;desc=${sessionCookieOf(request) ? 'sent' : 'none'}`)
    endWithFile(request, reply)
    dropOddRange(request.raw)
    serve(request.raw, reply.raw, () => {
      taken = false
    })
    if (taken) reply.hijack()
    return taken
  }
}
