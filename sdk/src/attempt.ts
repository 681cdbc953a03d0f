import { ApiFailure, ConnectionFailure, failureOf } from './errors.js'
import { readBody } from './wire.js'

export interface Sending {
  url: string
  method: string
  headers: Record<string, string>
  body?: string | URLSearchParams | FormData | undefined
  redirect?: 'follow' | 'manual'
  /** A second attempt does nothing twice: it reads, or it carries an Idempotency-Key. */
  repeatable: boolean
  timeout_ms: number
  signal?: AbortSignal | undefined
  /** The answer is handed over unread. */
  raw?: boolean
}

/** How far a client has written and read; sent along, so that a replica that is behind does not answer. */
export interface Seen {
  position: string | null
}

export interface Answer {
  status: number
  headers: Headers
  body: unknown
  response: Response
}

/** Statuses after which the same request may succeed. */
const PASSING = new Set([429, 500, 502, 503, 504])
const FIRST_WAIT_MS = 500
const LONGEST_WAIT_MS = 60_000

/** One attempt. */
export async function attempt(sending: Sending): Promise<Answer> {
  const { url, method, headers, body, redirect = 'manual', timeout_ms, signal, raw } = sending
  const deadline = AbortSignal.timeout(timeout_ms)
  const either = signal ? AbortSignal.any([signal, deadline]) : deadline
  try {
    const response = await fetch(url, {
      method,
      headers,
      redirect,
      signal: either,
      ...(body === undefined ? {} : { body }),
    })
    if (response.status >= 400) throw failureOf(response.status, await readBody(response), response.headers)
    const read_body = raw ? undefined : await readBody(response)
    return { status: response.status, headers: response.headers, body: read_body, response }
  } catch (error) {
    if (error instanceof ApiFailure || signal?.aborted) throw error
    const reason = deadline.aborted ? `no answer within ${timeout_ms} ms` : reasonOf(error)
    throw new ConnectionFailure(`${method} ${url} failed: ${reason}`, { cause: error })
  }
}

function reasonOf(error: unknown): string {
  const { cause, message } = error as { cause?: { message?: string; code?: string }; message?: string }
  return cause?.code ?? cause?.message ?? message ?? String(error)
}

/** How long to wait before the next attempt; undefined where another one makes no sense. */
function waitAfter(error: unknown, number: number, repeatable: boolean): number | undefined {
  const planned = Math.min(FIRST_WAIT_MS * 2 ** number, LONGEST_WAIT_MS) * (0.5 + Math.random())
  if (error instanceof ConnectionFailure) return repeatable ? planned : undefined
  if (!(error instanceof ApiFailure) || !PASSING.has(error.status)) return undefined
  // A 429 is refused before anything is done, so that every call may be repeated.
  if (!repeatable && error.status !== 429) return undefined
  const asked = error.retry_after_s === null ? 0 : error.retry_after_s * 1000
  return asked > LONGEST_WAIT_MS ? undefined : Math.max(asked, error.retry_after_s === null ? planned : 0)
}

/** Waits, or rejects as soon as the signal says so. */
export function pause(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted()
    const stop = () => {
      clearTimeout(timer)
      reject(signal?.reason)
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop)
      resolve()
    }, ms)
    signal?.addEventListener('abort', stop, { once: true })
  })
}

const POSITION = 'Parley-Position'

/** Adds what the client has seen to its request, and what the answer says to that. */
export async function sendInOrder(sending: Sending, retries: number, seen: Seen): Promise<Answer> {
  const headers = seen.position ? { ...sending.headers, [POSITION]: seen.position } : sending.headers
  const answer = await send({ ...sending, headers }, retries)
  const position = answer.headers.get(POSITION)
  if (position && Number(position) > Number(seen.position)) seen.position = position
  return answer
}

/** Attempts until one succeeds, the number of retries is used up, or another attempt makes no sense. */
export async function send(sending: Sending, retries: number): Promise<Answer> {
  for (let number = 0; ; number += 1) {
    try {
      return await attempt(sending)
    } catch (error) {
      const wait_ms = number < retries ? waitAfter(error, number, sending.repeatable) : undefined
      if (wait_ms === undefined) throw error
      await pause(wait_ms, sending.signal)
    }
  }
}
