import { createServer, type IncomingHttpHeaders, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'

export interface Delivered {
  raw: Buffer
  body: Record<string, unknown>
  headers: IncomingHttpHeaders
}

/** An address for one bot. */
export interface Hook {
  url: string
  received: Delivered[]
  /** The status of the answers from now on: 200 at first. */
  answer: number
}

/** A server that webhooks are posted to. */
export interface Receiver {
  open(): Hook
  close(): Promise<void>
}

export interface ReceiverOptions {
  host: string
  port: number
  /** Where the server under test reaches it. */
  address?: string
}

function listen(server: Server, { host, port }: ReceiverOptions): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, () => resolve((server.address() as AddressInfo).port))
  })
}

export async function startReceiver(options: ReceiverOptions): Promise<Receiver> {
  const hooks = new Map<string, Hook>()
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const raw = Buffer.concat(chunks)
    const hook = hooks.get(request.url?.split('/').at(-1) ?? '')
    hook?.received.push({ raw, body: JSON.parse(raw.toString() || '{}'), headers: request.headers })
    response.writeHead(hook?.answer ?? 404).end()
  })
  const port = await listen(server, options)
  const address = options.address ?? `http://${options.host}:${port}`
  return {
    open() {
      const name = String(hooks.size + 1)
      const hook: Hook = { url: `${address.replace(/\/$/, '')}/${name}`, received: [], answer: 200 }
      hooks.set(name, hook)
      return hook
    },
    close() {
      server.closeAllConnections()
      return new Promise((resolve) => server.close(() => resolve()))
    },
  }
}

const STEP_MS = 50

/** Waits until so many have come; what is missing then, the law finds out. */
export async function untilReceived(hook: Hook, count: number, patience_ms: number) {
  const until = performance.now() + patience_ms
  while (hook.received.length < count && performance.now() < until) await wait(STEP_MS)
}
