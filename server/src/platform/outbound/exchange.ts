import type { Dispatcher } from 'undici'
import { OutboundError, toOutboundError } from './error.js'

export interface OutboundRequest {
  url: string
  method: 'GET' | 'POST'
  headers?: Record<string, string>
  body?: string | Buffer
  /** For the whole exchange: waiting for a connection, connecting, headers and body. */
  timeout_ms: number
  /** Of the answer's body; what is beyond is cut off and the connection closed. 1 MiB where left out. */
  max_bytes?: number
  signal?: AbortSignal
  /** Called when the request is written to the socket. */
  onSent?: (() => void) | undefined
}

/** A URL that was checked, as the pool takes it. */
export interface Target {
  origin: string
  path: string
}

export interface OutboundAnswer {
  status: number
  headers: Record<string, string>
  body: Buffer
  truncated: boolean
  duration_ms: number
}

const DEFAULT_MAX_BYTES = 1024 * 1024
const EMPTY = Buffer.alloc(0)

/** Settles once, with an answer or an error: when the answer ends, fails, takes too long, or the caller gives up. */
function createOutcome(
  request: OutboundRequest,
  fulfil: (answer: OutboundAnswer) => void,
  reject: (error: unknown) => void,
) {
  let settled = false
  let controller: Dispatcher.DispatchController | undefined

  function settle(): boolean {
    if (settled) return false
    settled = true
    clearTimeout(deadline)
    request.signal?.removeEventListener('abort', onAbort)
    return true
  }
  function fail(error: unknown) {
    if (!settle()) return
    reject(error)
    // A request still waiting for its connection is dropped when its turn comes, in `began`.
    controller?.abort(new Error('given up'))
  }
  const onAbort = () => fail(request.signal?.reason)
  const deadline = setTimeout(
    () => fail(new OutboundError('timeout', `no whole answer within ${request.timeout_ms} ms`)),
    request.timeout_ms,
  )
  if (request.signal?.aborted) onAbort()
  else request.signal?.addEventListener('abort', onAbort)

  return {
    fail,
    isSettled: () => settled,
    began(current: Dispatcher.DispatchController) {
      if (settled) return current.abort(new Error('given up'))
      controller = current
      request.onSent?.()
    },
    finish(answer: OutboundAnswer) {
      // The pool frees the connection in the next turn of the loop; a caller that asks for the next thing sooner
      // would make it open a second one.
      if (settle()) setImmediate(() => setImmediate(fulfil, answer))
    },
  }
}

/** Sends one request over a pool and collects the answer, within its limits of time and size. */
export function exchange(
  pool: Dispatcher,
  target: Target,
  request: OutboundRequest,
): Promise<OutboundAnswer> {
  return new Promise((fulfil, reject) => {
    const started_at = performance.now()
    const max_bytes = request.max_bytes ?? DEFAULT_MAX_BYTES
    const answer = { status: 0, headers: {} as Record<string, string> }
    const chunks: Buffer[] = []
    let bytes = 0

    const outcome = createOutcome(request, fulfil, reject)
    if (outcome.isSettled()) return
    const finish = (truncated: boolean) => {
      const duration_ms = performance.now() - started_at
      const { status, headers } = answer
      const [only = EMPTY] = chunks
      const body = chunks.length > 1 ? Buffer.concat(chunks) : only
      outcome.finish({ status, headers, body, truncated, duration_ms })
    }

    pool.dispatch(dispatchOptions(target, request), {
      onRequestStart: outcome.began,
      onResponseStart(_controller, status, headers) {
        if (status < 200) return
        answer.status = status
        answer.headers = joinHeaders(headers)
      },
      onResponseData(current, chunk) {
        const room = max_bytes - bytes
        chunks.push(chunk.length > room ? chunk.subarray(0, room) : chunk)
        bytes += chunk.length
        if (bytes <= max_bytes) return
        finish(true)
        current.abort(new Error('answer cut off'))
      },
      onResponseEnd: () => finish(false),
      onResponseError: (_controller, error) => outcome.fail(toOutboundError(error)),
    })
  })
}

function dispatchOptions(target: Target, request: OutboundRequest): Dispatcher.DispatchOptions {
  const { origin, path } = target
  return {
    origin,
    path,
    method: request.method,
    headers: withoutHost(request.headers ?? {}),
    body: request.body ?? null,
    headersTimeout: 0,
    bodyTimeout: 0,
  }
}

const isHost = (name: string) => name.length === 4 && name.toLowerCase() === 'host'

// The pool takes the TLS server name from a Host header; it must stay the one of the checked URL.
function withoutHost(headers: Record<string, string>) {
  if (!Object.keys(headers).some(isHost)) return headers
  const kept: Record<string, string> = {}
  for (const name in headers) if (!isHost(name)) kept[name] = headers[name] as string
  return kept
}

function joinHeaders(headers: Record<string, string | string[] | undefined>): Record<string, string> {
  const joined: Record<string, string> = {}
  for (const name in headers) {
    const value = headers[name] ?? ''
    joined[name.toLowerCase()] = typeof value === 'string' ? value : value.join(', ')
  }
  return joined
}
