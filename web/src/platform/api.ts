import { table } from 'virtual:operations'
import type { Operations } from '@parley/sdk/operations'
import { fillPath, readBody, writeQuery } from '@parley/sdk/wire'

/** Names of the operations that the contract describes. */
export type OperationName = keyof Operations

export type Input<N extends OperationName> = Operations[N]['input'] & {
  /** The same key for the same intent: a repeated call is answered with the first result. */
  idempotency_key?: string
  signal?: AbortSignal
  /** It goes on when the page is left. */
  keepalive?: boolean
}
export type Answer<N extends OperationName> = Operations[N]['answer']
type Args<N extends OperationName> =
  Record<string, never> extends Input<N> ? [input?: Input<N>] : [input: Input<N>]

export interface Fault {
  key: string | null
  value: unknown
  code: string
  message: string
}

/** A refusal by the server. Branch on `status` and `code`; the text is for people. */
export class ApiFailure extends Error {
  readonly code: string
  readonly faults: readonly Fault[]
  constructor(
    readonly status: number,
    body: unknown,
    readonly retry_after_ms: number | null,
  ) {
    const { errors = [], error } = (typeof body === 'object' && body ? body : {}) as {
      errors?: Fault[]
      error?: string
    }
    const code = errors[0]?.code ?? error ?? (status === 429 ? 'rate_limit' : 'unknown')
    super(`${status} ${code}`)
    this.code = code
    this.faults = errors
  }

  /** The text of the fault at a field, for a form. */
  faultAt(key: string): string | undefined {
    return this.faults.find((fault) => fault.key === key)?.message
  }
}

/** The server was not reached, or the line was cut before it answered: nobody knows whether the call took effect. */
export class ConnectionFailure extends Error {}

/** Whether the same request may be answered later: the server was not reached, is busy, or is not well. */
export function mayPass(error: unknown): boolean {
  return !(error instanceof ApiFailure) || error.status === 429 || error.status >= 500
}

type Listener = () => void
const signedOut = new Set<Listener>()

/** Told whenever the server says that nobody is signed in. */
export function onSignedOut(listener: Listener): () => void {
  signedOut.add(listener)
  return () => signedOut.delete(listener)
}

const TIMEOUT_MS = 30_000
/** Browsers let 64 kB go on when a page is left. */
const KEPT_ALIVE_CHARS = 16_000
/** Of these a 401 says that a password or a proof is missing, not that a session ended. */
const SIGN_IN: ReadonlySet<OperationName> = new Set(['signIn', 'beginSecondFactor', 'resetPassword'])

/** A key for one intent. `crypto.randomUUID` is missing where the page came over plain http. */
export function newKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
}

export function pathOf(
  name: OperationName,
  params: Record<string, unknown> = {},
): [method: string, path: string] {
  const row = table[name]
  if (!row) throw new Error(`this build knows no operation ${name}`)
  return [row[0], `/v1${fillPath(row[1], params)}`]
}

function refusal(response: Response, body: unknown): ApiFailure {
  const after = response.headers.get('retry-after')
  return new ApiFailure(response.status, body, after === null ? null : Number(after) * 1000)
}

interface Call {
  params?: Record<string, unknown>
  query?: Record<string, unknown>
  body?: unknown
  /** Instead of a body of JSON. */
  form?: FormData
  idempotency_key?: string
  signal?: AbortSignal
  /** It goes on when the page is left. */
  keepalive?: boolean
  /** Whom it is for: refused where another tab has signed somebody else in. */
  user_id?: number
}

/** Calls an operation of the contract as the person whose session cookie the browser holds. */
export async function call<N extends OperationName>(name: N, ...args: Args<N>): Promise<Answer<N>> {
  const [input = {}] = args as [Call?]
  return (await request(name, input)) as Answer<N>
}

/** Calls an operation that takes a form, such as one with a picture. */
export async function callWithForm<N extends OperationName>(name: N, form: FormData): Promise<Answer<N>> {
  return (await request(name, { form })) as Answer<N>
}

async function request(name: OperationName, input: Call): Promise<unknown> {
  const { params, query, body, form, idempotency_key, signal, keepalive, user_id } = input
  const [method, path] = pathOf(name, params)
  const headers: Record<string, string> = { Accept: 'application/json', 'Parley-Client': 'web' }
  if (body !== undefined) headers['Content-Type'] = 'application/json'
  if (method !== 'GET') headers['Idempotency-Key'] = idempotency_key ?? newKey()
  if (user_id !== undefined) headers['Parley-User'] = String(user_id)
  const content = form ?? (body === undefined ? undefined : JSON.stringify(body))
  const deadline = AbortSignal.timeout(TIMEOUT_MS)
  let response: Response
  let answer: unknown
  try {
    response = await fetch(path + writeQuery(query), {
      method,
      headers,
      signal: signal ? AbortSignal.any([signal, deadline]) : deadline,
      ...(content === undefined ? {} : { body: content }),
      ...(keepalive && typeof content === 'string' && content.length <= KEPT_ALIVE_CHARS
        ? { keepalive }
        : {}),
    })
    answer = await readBody(response)
  } catch (error) {
    if (signal?.aborted) throw error
    throw new ConnectionFailure(name, { cause: error })
  }
  if (response.status === 401 && !SIGN_IN.has(name)) for (const listener of signedOut) listener()
  if (response.status >= 400) throw refusal(response, answer)
  return answer
}
