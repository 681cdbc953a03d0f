import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface Received {
  body: Record<string, unknown>
  raw: Buffer
  headers: IncomingHttpHeaders
  at: number
}

/** The body of a request; undefined where its sender broke off, or the receiver was closed meanwhile. */
async function readBody(request: IncomingMessage): Promise<Buffer | undefined> {
  const chunks: Buffer[] = []
  try {
    for await (const chunk of request) chunks.push(chunk as Buffer)
  } catch {
    return undefined
  }
  return Buffer.concat(chunks)
}

/** A real HTTP server that a webhook can be pointed at; it answers 200 by default. */
export async function startReceiver(
  answer?: (received: Received, response: ServerResponse, count: number) => void,
) {
  const requests: Received[] = []
  const server = createServer(async (request, response) => {
    const raw = await readBody(request)
    if (!raw) return
    const received = {
      body: JSON.parse(raw.toString() || '{}'),
      raw,
      headers: request.headers,
      at: Date.now(),
    }
    requests.push(received)
    if (answer) answer(received, response, requests.length)
    else response.end('ok')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}/hook`,
    requests,
    /** Bodies without the timestamp, which is new for each attempt. */
    get received() {
      return requests.map(({ body: { webhook_timestamp: _, ...body } }) => body)
    },
    close() {
      server.closeAllConnections()
      return new Promise((resolve) => server.close(resolve))
    },
  }
}
