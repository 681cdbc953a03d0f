import type { BodyOf, Operation, ParamsOf, QueryOf, ResultOf } from '@parley/contract'
import { type Seen, sendInOrder } from './attempt.js'
import { fillPath, writeQuery } from './wire.js'

export interface ClientOptions {
  /** Ends in `/v1`. */
  base_url: string
  token?: string
  /** How often a 429, a 5xx or a network fault is tried again: never when absent, and only where a repeat does nothing twice. */
  retries?: number
  timeout_ms?: number
  user_agent?: string
}

type Given<T, K extends string> = T extends undefined ? { [P in K]?: undefined } : { [P in K]: T }
type Wanted<T, K extends string> = T extends undefined ? { [P in K]?: undefined } : { [P in K]?: T }

export type Input<O extends Operation> = Given<ParamsOf<O>, 'params'> &
  Wanted<QueryOf<O>, 'query'> &
  (O extends { bodyOptional: true } ? Wanted<BodyOf<O>, 'body'> : Given<BodyOf<O>, 'body'>) & {
    /** The same key for the same intent: a repeated call is answered with the first result. */
    idempotency_key?: string
    signal?: AbortSignal
  }

type Answer<O extends Operation> = ResultOf<O>
type Args<O extends Operation> =
  Record<string, never> extends Input<O> ? [input?: Input<O>] : [input: Input<O>]

export interface Client {
  call<O extends Operation>(operation: O, ...args: Args<O>): Promise<Answer<O>>
  /** The same, with status and headers. */
  send<O extends Operation>(
    operation: O,
    ...args: Args<O>
  ): Promise<{ status: number; headers: Headers; body: Answer<O> }>
}

interface AnyInput {
  params?: Record<string, unknown>
  query?: Record<string, unknown>
  body?: unknown
  idempotency_key?: string
  signal?: AbortSignal
}

/** A typed client over the values of the contract: it knows how to call an operation, and no single one of them. */
export function createClient(options: ClientOptions): Client {
  const { base_url, token, retries = 0, timeout_ms = 60_000 } = options
  const seen: Seen = { position: null }

  async function send(operation: Operation, input: AnyInput = {}) {
    const { params = {}, query = {}, body, idempotency_key, signal } = input
    const headers: Record<string, string> = { Accept: 'application/json' }
    if (token) headers.Authorization = `Bearer ${token}`
    if (body !== undefined) headers['Content-Type'] = 'application/json'
    if (idempotency_key) headers['Idempotency-Key'] = idempotency_key
    if (options.user_agent) headers['User-Agent'] = options.user_agent
    const sending = {
      url: base_url + fillPath(operation.path, params) + writeQuery(query),
      method: operation.method,
      headers,
      body: body === undefined ? undefined : JSON.stringify(body),
      repeatable: operation.method === 'GET' || idempotency_key !== undefined,
      timeout_ms,
      signal,
    }
    const answer = await sendInOrder(sending, retries, seen)
    return { status: answer.status, headers: answer.headers, body: answer.body }
  }

  return {
    send: send as Client['send'],
    call: (async (operation: Operation, input?: AnyInput) =>
      (await send(operation, input)).body) as Client['call'],
  }
}
