import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import type { TestContext } from 'node:test'
import { createDiskStorage, type DiskStorage, DOWNLOAD_PATH, UPLOAD_PATH } from './disk.js'
import { testFolder } from './testing-folder.js'

export const PREFIX = 'attaches/files/7/0b8f2c1e-8a39-4c55-9d2f-1f2e3d4c5b6a/'
export const START_MS = Date.UTC(2026, 0, 15, 12)
export const FORM = { key_prefix: PREFIX, max_bytes: 1_000, expires_in_s: 14 * 86_400 }

/** A storage behind a real HTTP server, with routes as the product has them. */
export async function start(t: TestContext) {
  const clock = { at_ms: START_MS, now: () => clock.at_ms }
  const folder = await testFolder(t)
  let storage: DiskStorage | undefined
  const server = createServer(async (request, reply) => {
    const url = new URL(request.url!, 'http://localhost')
    if (url.pathname === UPLOAD_PATH) {
      const { status, message } = await storage!.acceptUpload(request.headers, request)
      return reply.writeHead(status).end(message)
    }
    const key = decodeURIComponent(url.pathname.slice(DOWNLOAD_PATH.length))
    const { status, headers, body } = await storage!.serveDownload({
      key,
      query: Object.fromEntries(url.searchParams),
      method: request.method as 'GET' | 'HEAD',
      range: request.headers.range,
      if_range: request.headers['if-range'] as string | undefined,
      if_none_match: request.headers['if-none-match'],
    })
    reply.writeHead(status, headers)
    if (body) body.pipe(reply)
    else reply.end()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  const publicUrl = `http://127.0.0.1:${port}`
  storage = createDiskStorage({ folder, secret: Buffer.from('a secret of the test'), publicUrl, clock })
  return { storage, folder, clock, port }
}

export function fill(fields: Record<string, string>, file?: Blob, name = 'a.txt') {
  const form = new FormData()
  for (const [field, value] of Object.entries(fields)) form.set(field, value)
  if (file) form.set('file', file, name)
  return form
}

export async function post(url: string, body: FormData) {
  const reply = await fetch(url, { method: 'POST', body })
  return { status: reply.status, text: await reply.text() }
}

export const text = async (stream: Readable) => (await buffer(stream)).toString()
