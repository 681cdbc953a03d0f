import { once } from 'node:events'
import { Agent, createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

// biome-ignore lint/suspicious/noExplicitAny: mutations reach into bodies of every shape
export type Json = any

/** A call on its way to the server. */
export interface Exchange {
  method: string
  path: string
  query: URLSearchParams
  headers: Record<string, string>
  body: Json
}

export interface Reply {
  status: number
  headers: Record<string, string>
  body: Json
}

export interface Webhook {
  headers: Record<string, string>
  body: string
}

/** One law that a server breaks. */
export interface Mutation {
  /** Changes what is sent, as if the server passed over it; a reply is given instead of the server's. */
  request?(exchange: Exchange): Reply | undefined
  reply?(reply: Reply, exchange: Exchange): void
  /** Says what reaches the bot, in order; the status is what the server hears of it. */
  webhook?(webhook: Webhook, deliver: (webhook: Webhook) => Promise<number>): Promise<number>
}

export interface BreakingProxy {
  base_url: string
  mutation: Mutation
  close(): Promise<void>
}

async function readAll(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks)
}

const HOP = new Set([
  'host',
  'connection',
  'content-length',
  'transfer-encoding',
  'accept-encoding',
  // What was fetched is decoded already.
  'content-encoding',
  'keep-alive',
])

function headersOf(request: IncomingMessage): Record<string, string> {
  const entries = Object.entries(request.headers).filter(([name]) => !HOP.has(name))
  return Object.fromEntries(entries.map(([name, value]) => [name, String(value)]))
}

const isJson = (headers: Record<string, string>) => headers['content-type']?.includes('json') ?? false

function parse(raw: Buffer): Json {
  try {
    return JSON.parse(raw.toString())
  } catch {
    return undefined
  }
}

/** Where webhooks of the server go first, with the address of the bot behind it. */
const HOOK = '/__hook/'

async function passWebhook(mutation: Mutation, request: IncomingMessage, response: ServerResponse) {
  const raw = await readAll(request)
  const target = decodeURIComponent(request.url?.slice(HOOK.length) ?? '')
  const deliver = async ({ headers, body }: Webhook) =>
    (await fetch(target, { method: 'POST', headers, body })).status
  const webhook = { headers: headersOf(request), body: raw.toString() }
  const status = mutation.webhook ? await mutation.webhook(webhook, deliver) : await deliver(webhook)
  response.writeHead(status).end()
}

/** Connections to the server are kept. */
const agent = new Agent({ keepAlive: true })

async function forward(
  origin: string,
  exchange: Exchange,
  raw: Buffer,
  parsed: Json,
): Promise<Reply & { raw: Buffer }> {
  const query = exchange.query.toString()
  const sent = parsed === undefined ? raw : Buffer.from(JSON.stringify(exchange.body))
  const call = request(`${origin}${exchange.path}${query ? `?${query}` : ''}`, {
    agent,
    method: exchange.method,
    headers: { ...exchange.headers, 'content-length': sent.length },
  })
  call.end(sent)
  const [answer] = (await once(call, 'response')) as [IncomingMessage]
  const bytes = await readAll(answer)
  const headers = headersOf(answer)
  const body = isJson(headers) && bytes.length > 0 ? parse(bytes) : undefined
  return { status: answer.statusCode ?? 502, headers, body, raw: bytes }
}

/** Stands between the tool and a server, and breaks one law at a time. */
export async function startProxy(target: string): Promise<BreakingProxy> {
  const { origin, pathname } = new URL(target)
  let own = ''
  const proxy: BreakingProxy = { base_url: '', mutation: {}, close: async () => {} }

  async function passCall(request: IncomingMessage, response: ServerResponse) {
    const url = new URL(request.url ?? '/', own)
    const raw = await readAll(request)
    const headers = headersOf(request)
    const parsed = isJson(headers) ? parse(raw) : undefined
    const exchange = {
      method: request.method ?? 'GET',
      path: url.pathname,
      query: url.searchParams,
      headers,
      body: parsed,
    }
    const { webhook } = exchange.body ?? {}
    if (webhook?.outgoing_url?.startsWith('http'))
      webhook.outgoing_url = `${own}${HOOK}${encodeURIComponent(webhook.outgoing_url)}`
    const { mutation } = proxy
    const instead = mutation.request?.(exchange)
    const reply: Reply & { raw?: Buffer } = instead ?? (await forward(origin, exchange, raw, parsed))
    const before = JSON.stringify(reply.body)
    mutation.reply?.(reply, exchange)
    const after = JSON.stringify(reply.body)
    const content = reply.raw && before === after ? reply.raw : Buffer.from(after ?? '')
    response.writeHead(reply.status, reply.headers).end(reply.status === 204 ? undefined : content)
  }

  const server = createServer((request, response) => {
    const pass = request.url?.startsWith(HOOK)
      ? passWebhook(proxy.mutation, request, response)
      : passCall(request, response)
    pass.catch((error: Error) => response.writeHead(502).end(error.message))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  own = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  proxy.base_url = own + pathname
  proxy.close = () => {
    agent.destroy()
    server.closeAllConnections()
    return new Promise((resolve) => server.close(() => resolve()))
  }
  return proxy
}
