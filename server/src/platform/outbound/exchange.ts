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

/** Called together, two turns of the loop later: an immediate for each would be dear where many end in one turn. */
let ended: (() => void)[] = []

/**
 * The pool frees the connection in the next turn of the loop; a caller that asks for the next thing sooner would make it open a
 * second one.
 */
function whenFree(call: () => void) {
  if (ended.push(call) > 1) return
  setImmediate(() => {
    const calls = ended
    ended = []
    setImmediate(() => {
      for (const each of calls) each()
    })
  })
}

/** Headers are made readable when they are asked for: senders of webhooks look at hardly any. */
class Answer implements OutboundAnswer {
  constructor(
    readonly status: number,
    private readonly raw: readonly Buffer[],
    readonly body: Buffer,
    readonly truncated: boolean,
    readonly duration_ms: number,
  ) {}

  get headers(): Record<string, string> {
    const joined: Record<string, string> = {}
    for (let n = 0; n + 1 < this.raw.length; n += 2) {
      const name = String(this.raw[n]).toLowerCase()
      const value = String(this.raw[n + 1])
      joined[name] = Object.hasOwn(joined, name) ? `${joined[name]}, ${value}` : value
    }
    return joined
  }
}

/**
 * One request on its way: it settles once, with an answer or an error, when the answer ends, fails, takes too long, or the caller
 * gives up. The pool calls `on…`; it wraps handlers of its newer kind in two objects more.
 */
class Exchange implements Dispatcher.DispatchHandler {
  private readonly started_at = performance.now()
  private readonly max_bytes: number
  private readonly deadline: NodeJS.Timeout
  private settled = false
  private abort: ((error?: Error) => void) | undefined
  private status = 0
  private raw: readonly Buffer[] = []
  private body: Buffer = EMPTY
  private chunks: Buffer[] | undefined
  private bytes = 0

  constructor(
    private readonly request: OutboundRequest,
    private readonly fulfil: (answer: OutboundAnswer) => void,
    private readonly reject: (error: unknown) => void,
  ) {
    this.max_bytes = request.max_bytes ?? DEFAULT_MAX_BYTES
    this.deadline = setTimeout(giveUp, request.timeout_ms, this)
    request.signal?.addEventListener('abort', this.onAbort)
    if (request.signal?.aborted) this.onAbort()
  }

  get isSettled() {
    return this.settled
  }

  fail(error: unknown) {
    if (!this.settle()) return
    this.reject(error)
    // A request still waiting for its connection is dropped when its turn comes, in `onConnect`.
    this.abort?.(new Error('given up'))
  }

  tooLate() {
    this.fail(new OutboundError('timeout', `no whole answer within ${this.request.timeout_ms} ms`))
  }

  onConnect(abort: (error?: Error) => void) {
    if (this.settled) return abort(new Error('given up'))
    this.abort = abort
    this.request.onSent?.()
  }

  onHeaders(status: number, headers: Buffer[]) {
    if (status < 200) return true
    this.status = status
    this.raw = headers
    return true
  }

  onData(chunk: Buffer) {
    const room = this.max_bytes - this.bytes
    this.add(chunk.length > room ? chunk.subarray(0, room) : chunk)
    this.bytes += chunk.length
    if (this.bytes <= this.max_bytes) return true
    this.finish(true)
    this.abort?.(new Error('answer cut off'))
    return false
  }

  onComplete() {
    this.finish(false)
  }

  onError(error: Error) {
    this.fail(toOutboundError(error))
  }

  private readonly onAbort = () => this.fail(this.request.signal?.reason)

  private add(chunk: Buffer) {
    if (this.chunks) this.chunks.push(chunk)
    else if (this.bytes === 0) this.body = chunk
    else this.chunks = [this.body, chunk]
  }

  private finish(truncated: boolean) {
    if (!this.settle()) return
    const body = this.chunks ? Buffer.concat(this.chunks) : this.body
    const duration_ms = performance.now() - this.started_at
    const answer = new Answer(this.status, this.raw, body, truncated, duration_ms)
    whenFree(() => this.fulfil(answer))
  }

  private settle(): boolean {
    if (this.settled) return false
    this.settled = true
    clearTimeout(this.deadline)
    this.request.signal?.removeEventListener('abort', this.onAbort)
    return true
  }
}

const giveUp = (exchange: Exchange) => exchange.tooLate()

/** Sends one request over a pool and collects the answer, within its limits of time and size. */
export function exchange(
  pool: Dispatcher,
  target: Target,
  request: OutboundRequest,
): Promise<OutboundAnswer> {
  return new Promise((fulfil, reject) => {
    const begun = new Exchange(request, fulfil, reject)
    if (begun.isSettled) return
    pool.dispatch(
      {
        origin: target.origin,
        path: target.path,
        method: request.method,
        headers: withoutHost(request.headers),
        body: request.body ?? null,
        headersTimeout: 0,
        bodyTimeout: 0,
      },
      begun,
    )
  })
}

const isHost = (name: string) => name.length === 4 && name.toLowerCase() === 'host'

/** Names and values in turn. The pool takes the TLS server name from a Host header; it must stay the one of the checked URL. */
function withoutHost(headers: Record<string, string> = {}): string[] {
  const flat: string[] = []
  for (const name in headers) if (!isHost(name)) flat.push(name, headers[name] as string)
  return flat
}
