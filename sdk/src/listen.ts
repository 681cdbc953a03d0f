import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Parley } from './connect.js'
import type { Received } from './receive.js'
import type { WebhookRequest } from './verify-webhook.js'

export interface ListenOptions {
  /** 3000 when absent; 0 takes a free one. */
  port?: number
  /** `127.0.0.1` when absent. */
  host?: string
  /** Where the server of the workspace reaches this one; the local address when absent. */
  public_url?: string
  /** False leaves the address of the bot as it is. */
  register?: boolean
}

export interface Listening {
  /** Where webhooks are expected. */
  url: string
  port: number
  stop(): Promise<void>
}

const LARGEST_BODY = 1024 * 1024

async function readBody(request: IncomingMessage): Promise<Buffer | undefined> {
  const parts: Buffer[] = []
  let size = 0
  for await (const part of request as AsyncIterable<Buffer>) {
    size += part.length
    if (size > LARGEST_BODY) return undefined
    parts.push(part)
  }
  return Buffer.concat(parts)
}

/** Listens for webhooks and tells the workspace where. */
export async function listen(
  receive: (request: WebhookRequest) => Promise<Received>,
  parley: Parley,
  { port = 3000, host = '127.0.0.1', public_url, register = true }: ListenOptions,
): Promise<Listening> {
  const server = createServer(async (request, response) => {
    const body = request.method === 'POST' ? await readBody(request) : undefined
    const answer = body ? await receive({ headers: request.headers, body }) : { status: 405, body: '{}' }
    response.writeHead(answer.status, { 'Content-Type': 'application/json' }).end(answer.body)
  })
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(port, host, resolve))
  const taken = (server.address() as AddressInfo).port
  const url = public_url ?? `http://${host}:${taken}`
  const stop = () => new Promise<void>((resolve) => server.close(() => resolve()))
  try {
    if (register) await parley.bots.setOwnWebhook({ webhook: { outgoing_url: url } })
  } catch (error) {
    await stop()
    throw error
  }
  return { url, port: taken, stop }
}
