import { setTimeout as wait } from 'node:timers/promises'
import type { Operation, ResultOf } from '@parley/contract'
import type { Input } from '@parley/sdk/contract'
import { fillPath, writeQuery } from '@parley/sdk/wire'
import { type Answer, describeAnswer, errorsOf } from './answer.js'

/** A call as it goes out; laws about wrong input write what no typed client would send. */
export interface Sent {
  params?: Record<string, unknown>
  query?: Record<string, unknown>
  /** Sent as JSON; a FormData and a string go out as they are. */
  body?: unknown
  headers?: Record<string, string>
  /** A refusal by a rate limit is the answer, and not a reason to wait. */
  hurried?: true
}

export interface Connection {
  /** Ends in the prefix of the API. */
  base_url: string
  timeout_ms: number
  /** Hears every answer. */
  heard(answer: Answer): void
}

interface Expected {
  status: number
  code?: string
  key?: string
}

/** A token and what is called with it. */
export interface Caller {
  id: number
  token: string | undefined
  /** The answer, whatever it is. */
  send(operation: Operation, sent?: Sent): Promise<Answer>
  /** The body of a success; anything else is a broken law. */
  call<O extends Operation>(operation: O, input?: Omit<Input<O>, 'signal'>): Promise<ResultOf<O>>
  /** The answer to what has to be refused. */
  refused(operation: Operation, sent: Sent, expected: Expected): Promise<Answer>
}

/** The longest wait that a limit may ask for before a law gives up. */
const PATIENCE_S = 100

function urlOf(base_url: string, { path, root }: Operation, { params = {}, query = {} }: Sent): string {
  const base = root ? new URL(base_url).origin : base_url
  return base + fillPath(path, params) + writeQuery(query)
}

function bodyOf(body: unknown): { headers: Record<string, string>; body?: string | FormData } {
  if (body === undefined) return { headers: {} }
  if (body instanceof FormData) return { headers: {}, body }
  const headers = { 'Content-Type': 'application/json' }
  return { headers, body: typeof body === 'string' ? body : JSON.stringify(body) }
}

async function read(operation: Operation, response: Response): Promise<Answer> {
  const text = await response.text()
  const isJson = response.headers.get('content-type')?.includes('json') && text !== ''
  let body: unknown
  try {
    body = isJson ? JSON.parse(text) : undefined
  } catch {
    throw new Error(`${operation.id} answered ${response.status} with broken JSON: ${text.slice(0, 80)}`)
  }
  return { operation, status: response.status, headers: response.headers, body, text }
}

/** How long the server asks to wait: after a refusal, or because the window is full. */
function pauseOf({ status, headers }: Answer): number {
  if (status === 429) return Number(headers.get('retry-after')) || 1
  const [, remaining, reset] = /r=(\d+);t=(\d+)/.exec(headers.get('ratelimit') ?? '') ?? []
  return remaining === '0' ? Number(reset) : 0
}

export function callerOf(connection: Connection, id: number, token: string | undefined): Caller {
  async function once(operation: Operation, sent: Sent): Promise<Answer> {
    const { headers, body } = bodyOf(sent.body)
    const authorization: Record<string, string> = token ? { Authorization: `Bearer ${token}` } : {}
    const response = await fetch(urlOf(connection.base_url, operation, sent), {
      method: operation.method,
      headers: { Accept: 'application/json', ...authorization, ...headers, ...sent.headers },
      body,
      redirect: 'manual',
      signal: AbortSignal.timeout(connection.timeout_ms),
    })
    const answer = await read(operation, response)
    connection.heard(answer)
    return answer
  }

  async function send(operation: Operation, sent: Sent = {}): Promise<Answer> {
    for (let waited = 0; ; ) {
      const answer = await once(operation, sent)
      const pause = sent.hurried ? 0 : pauseOf(answer)
      if (pause > 0) await wait(pause * 1000)
      waited += pause
      if (answer.status !== 429 || sent.hurried || waited > PATIENCE_S) return answer
    }
  }

  return {
    id,
    token,
    send,
    async call(operation, input = {} as never) {
      const { idempotency_key, ...sent } = input as Sent & { idempotency_key?: string }
      const headers = idempotency_key ? { headers: { 'Idempotency-Key': idempotency_key } } : {}
      const answer = await send(operation, { ...sent, ...headers })
      if (answer.status !== operation.returns.status)
        throw new Error(`${describeAnswer(answer)} where ${operation.returns.status} was due`)
      return answer.body as never
    },
    async refused(operation, sent, { status, code, key }) {
      const answer = await send(operation, sent)
      const due = [status, code, key].filter((part) => part !== undefined).join(' ')
      const items = errorsOf(answer)
      const fits =
        code === undefined || items.some((item) => item.code === code && (!key || item.key === key))
      if (answer.status === status && fits) return answer
      throw new Error(`${describeAnswer(answer)} where ${due} was due`)
    },
  }
}
