import { type Answer, type Seen, sendInOrder } from './attempt.js'
import type { Call, CallOptions, CallTable } from './call.js'
import { CALLS } from './generated/calls.js'
import type { Methods } from './generated/types.js'
import { requestOf } from './request.js'

export interface ConnectOptions {
  /** Address of the API with its prefix: `https://chat.example.org/v1`. */
  base_url: string
  token?: string
  /**
   * How often a call is tried again after a 429, a 5xx or a network fault: 4 times when absent. Reads and writes with an
   * Idempotency-Key alone; each wait is what the server asks for, else 0.5, 1, 2, … s.
   */
  retries?: number
  timeout_ms?: number
  user_agent?: string
}

export interface Connection {
  options: Required<Pick<ConnectOptions, 'base_url' | 'retries' | 'timeout_ms'>> & ConnectOptions
  /** Without the API prefix. */
  root_url: string
  headers: Record<string, string>
}

const CONNECTION = Symbol('connection')

/** Every operation by noun and verb: `parley.messages.create({ message: { entity_id, content } })`. */
export interface Parley extends Methods {
  readonly [CONNECTION]: Connection
}

/** What the functions beside the methods need: `live()`, `upload()`. */
export function connectionOf(parley: Parley): Connection {
  return parley[CONNECTION]
}

function openConnection(given: ConnectOptions): Connection {
  const base_url = given.base_url.replace(/\/$/, '')
  return {
    options: { retries: 4, timeout_ms: 60_000, ...given, base_url },
    root_url: base_url.replace(/(?<=[^/:])\/[^/]*$/, ''),
    headers: {
      Accept: 'application/json',
      ...(given.token ? { Authorization: `Bearer ${given.token}` } : {}),
      ...(given.user_agent ? { 'User-Agent': given.user_agent } : {}),
    },
  }
}

function present({ answer }: Call, { body, response }: Answer): unknown {
  if (answer === 'response') return response
  // A status that is not set is a bare null.
  return answer === 'data' && body ? (body as { data: unknown }).data : body
}

function methodOf({ options, root_url, headers }: Connection, call: Call, seen: Seen) {
  return async (input: Record<string, unknown> = {}, more: CallOptions = {}) => {
    const request = requestOf(call, input, more)
    const raw = call.answer === 'response'
    const answer = await sendInOrder(
      {
        url: (call.root ? root_url : options.base_url) + request.path,
        method: call.method,
        headers: { ...headers, ...request.headers },
        body: request.body,
        redirect: raw ? 'follow' : 'manual',
        repeatable: call.method === 'GET' || 'Idempotency-Key' in request.headers,
        timeout_ms: options.timeout_ms,
        signal: more.signal,
        raw,
      },
      options.retries,
      seen,
    )
    return present(call, answer)
  }
}

/** A client of one server, with one token. */
export function connect(options: ConnectOptions): Parley {
  const connection = openConnection(options)
  const seen: Seen = { position: null }
  const nouns = Object.entries(CALLS as CallTable).map(([noun, calls]) => {
    const methods = Object.entries(calls).map(([verb, call]) => [verb, methodOf(connection, call, seen)])
    return [noun, Object.fromEntries(methods)]
  })
  return { ...Object.fromEntries(nouns), [CONNECTION]: connection } as Parley
}
