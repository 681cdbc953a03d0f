import { readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import type { FastifyInstance } from 'fastify'
import type { Config } from '../config.js'
import { RELEASE } from '../version.js'
import { readGuides } from './guides.js'

const RENDERER = new URL('../../../data/scalar.js.gz', import.meta.url)

const PAGE = `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>Parley API</title></head><body><div id="reference"></div>
<noscript>The reference needs scripts. The same for programs: <a href="/openapi.json">openapi.json</a>.</noscript>
<script src="/docs/scalar.js?${RELEASE}"></script><script src="/docs/start.js?${RELEASE}"></script></body></html>`

/** Nothing is loaded from elsewhere or sent there. */
const SETTINGS = {
  url: '/docs/document.json',
  withDefaultFonts: false,
  telemetry: false,
  agent: { disabled: true },
  mcp: { disabled: true },
  showDeveloperTools: 'never',
  hideClientButton: true,
  authentication: { preferredSecurityScheme: 'bearer' },
  defaultHttpClient: { targetKey: 'shell', clientKey: 'curl' },
}

const START = `Scalar.createApiReference('#reference', ${JSON.stringify(SETTINGS)})`

/** The renderer makes style elements; scripts are our own files alone. */
function policyOf({ public_url }: Config): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data: blob:",
    "font-src 'self' data:",
    `connect-src 'self' ${new URL(public_url).origin}`,
    "form-action 'none'",
    "frame-ancestors 'none'",
    "base-uri 'none'",
  ].join('; ')
}

type Document = { info: { description: string } }

/** The reference of the API for people: guides, every operation, webhook and shape, and calls with a token of one's own. */
export function referenceRoutes(app: FastifyInstance, config: Config, openapi: () => object) {
  let document: string | undefined
  let renderer: Buffer | undefined
  const policy = policyOf(config)

  app.get('/docs', (_, reply) =>
    reply.header('Content-Security-Policy', policy).type('text/html; charset=utf-8').send(PAGE),
  )
  app.get('/docs/start.js', (_, reply) => reply.type('text/javascript; charset=utf-8').send(START))
  app.get('/docs/scalar.js', (request, reply) => {
    renderer ??= readFileSync(RENDERER)
    reply.header('Cache-Control', 'public, max-age=31536000, immutable').header('Vary', 'Accept-Encoding')
    reply.type('text/javascript; charset=utf-8')
    if (!/\bgzip\b/.test(String(request.headers['accept-encoding']))) return reply.send(gunzipSync(renderer))
    return reply.header('Content-Encoding', 'gzip').send(renderer)
  })
  app.get('/docs/document.json', (_, reply) => {
    const made = openapi() as Document
    const description = `${made.info.description}\n\n${readGuides()}`
    document ??= JSON.stringify({ ...made, info: { ...made.info, description } })
    return reply.type('application/json; charset=utf-8').send(document)
  })
}
