import { createECDH, type ECDH, randomBytes } from 'node:crypto'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { TestContext } from 'node:test'
import type { Push } from '@parley/contract'
import { decrypt } from 'http_ece'

export interface ReceivedPush {
  push: Push
  headers: IncomingHttpHeaders
}

export interface Browser {
  subscription: { endpoint: string; keys: { p256dh: string; auth: string } }
  received: ReceivedPush[]
  /** Statuses of the next answers; 201 after them. */
  answers: number[]
}

interface Keys {
  key: ECDH
  auth: Buffer
}

/** A push service: a real HTTP server for browsers that decrypt what they get with keys of their own. */
export async function startPushService(t: TestContext) {
  const browsers = new Map<string, Browser & Keys>()
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const browser = browsers.get(request.url as string)
    if (!browser) return response.writeHead(404).end()
    const { key, auth, received, answers } = browser
    const status = answers.shift() ?? 201
    response.writeHead(status).end()
    if (status !== 201) return
    const text = decrypt(Buffer.concat(chunks), { version: 'aes128gcm', privateKey: key, authSecret: auth })
    received.push({ push: JSON.parse(text.toString()), headers: request.headers })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.after(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  return {
    origin: `http://127.0.0.1:${port}`,
    browser(): Browser {
      const path = `/push/${browsers.size + 1}`
      const key = createECDH('prime256v1')
      const p256dh = key.generateKeys().toString('base64url')
      const auth = randomBytes(16)
      const keys = { p256dh, auth: auth.toString('base64url') }
      const subscription = { endpoint: `http://127.0.0.1:${port}${path}`, keys }
      const browser = { subscription, received: [], answers: [], key, auth }
      browsers.set(path, browser)
      return browser
    },
  }
}
