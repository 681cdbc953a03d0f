import type {
  ApiErrorItem,
  BodyOf,
  ErrorCode,
  Operation,
  ParamsOf,
  QueryOf,
  ResultOf,
} from '@parley/contract'
import { fillPath, readBody, writeQuery } from './wire.js'

export interface ClientOptions {
  /** Ends in `/v1`. */
  base_url: string
  token?: string
  /** How often a 429 or a passing 5xx is tried again; each wait is what the server says, else 1, 2, 4 s. */
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

/** A refusal by the server. Branch on `status` and `code`; the text is for people. */
export class ApiFailure extends Error {
  readonly code: ErrorCode | string
  readonly errors: ApiErrorItem[]

  constructor(
    readonly status: number,
    readonly body: unknown,
    readonly headers: Headers,
  ) {
    const {
      errors = [],
      error,
      error_description,
    } = (typeof body === 'object' && body ? body : {}) as {
      errors?: ApiErrorItem[]
      error?: string
      error_description?: string
    }
    const code = errors[0]?.code ?? error ?? (status === 429 ? 'rate_limit' : 'unknown')
    super(
      `${status} ${code}: ${errors.map((item) => `${item.key} ${item.message}`).join('; ') || error_description || body}`,
    )
    this.code = code
    this.errors = errors
  }

  get retry_after_s(): number | null {
    const header = this.headers.get('retry-after')
    return header === null ? null : Number(header)
  }

  get request_id(): string | null {
    return this.headers.get('x-request-id')
  }
}

const PASSING = new Set([429, 500, 502, 503, 504])

function waitOf(failure: ApiFailure, attempt: number): number {
  const planned = 1000 * 2 ** attempt * (0.5 + Math.random())
  return failure.retry_after_s === null ? planned : failure.retry_after_s * 1000
}

/** A typed client over the contract: it knows how to call an operation, and no single one of them. */
export function createClient(options: ClientOptions): Client {
  const { base_url, token, retries = 0, timeout_ms = 60_000 } = options

  async function once(operation: Operation, input: Input<Operation>) {
    const { params, query, body, idempotency_key, signal } = input as Record<string, unknown>
    const headers: Record<string, string> = { Accept: 'application/json' }
    if (token) headers.Authorization = `Bearer ${token}`
    if (body !== undefined) headers['Content-Type'] = 'application/json'
    if (idempotency_key) headers['Idempotency-Key'] = idempotency_key as string
    if (options.user_agent) headers['User-Agent'] = options.user_agent
    const url = base_url + fillPath(operation.path, params as never) + writeQuery(query as never)
    const deadline = AbortSignal.timeout(timeout_ms)
    const response = await fetch(url, {
      method: operation.method,
      headers,
      redirect: 'manual',
      signal: signal ? AbortSignal.any([signal as AbortSignal, deadline]) : deadline,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const answer = await readBody(response)
    if (response.status >= 400) throw new ApiFailure(response.status, answer, response.headers)
    return { status: response.status, headers: response.headers, body: answer as never }
  }

  async function send(operation: Operation, input: Input<Operation> = {} as never) {
    for (let attempt = 0; ; attempt += 1) {
      try {
        return await once(operation, input)
      } catch (error) {
        if (attempt >= retries || !(error instanceof ApiFailure) || !PASSING.has(error.status)) throw error
        const wait_ms = waitOf(error, attempt)
        await new Promise((resolve) => setTimeout(resolve, wait_ms))
      }
    }
  }

  return {
    send: send as Client['send'],
    call: (async (operation: Operation, input?: Input<Operation>) =>
      (await send(operation, input)).body) as Client['call'],
  }
}
