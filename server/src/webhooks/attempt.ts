import { now } from '../platform/clock.js'
import type { Context } from '../platform/context.js'
import { OutboundError } from '../platform/outbound/error.js'
import { readRetryAfter } from './schedule.js'
import { sign } from './sign.js'

export const ANSWER_WAIT_MS = 5_000
const ANSWER_MAX_BYTES = 64 * 1024

export interface Sendable {
  event_id: string
  payload: string
  url: string
  /** The newest first. */
  signing_secrets: readonly string[]
  /** Counted from 1 over the whole life of the delivery. */
  number: number
  /** Events of the chat that came after it were sent before. */
  late?: boolean
  replay?: { id: number; original_at: Date } | undefined
  /** What the endpoint adds. */
  headers?: Readonly<Record<string, string>> | undefined
}

export interface Outcome {
  at: Date
  status: number | null
  error: string | null
  duration_ms: number
  retry_after_ms?: number
  /** What the receiver answered with; forms read it. */
  body: Buffer
}

export function succeeded({ status }: Outcome): boolean {
  return status !== null && status >= 200 && status < 300
}

/** The outcome of what was not sent at all. */
export function unsent({ clock }: Pick<Context, 'clock'>, error: string): Outcome {
  return { at: now(clock), status: null, error, duration_ms: 0, body: Buffer.alloc(0) }
}

/** Names that do not resolve and names of the inside look the same, so that nobody learns here which exist. */
function failureText({ kind, message }: OutboundError): string {
  if (kind === 'dns' || kind === 'refused_target')
    return 'unreachable: the host has no address that may be called'
  return `${kind}: ${message}`
}

type AttemptContext = Pick<Context, 'clock' | 'config' | 'faults' | 'outbound' | 'metrics'>

/** One attempt: stamped and signed now, sent once. Never throws; failures are in the outcome. */
export async function attempt(
  ctx: AttemptContext,
  delivery: Sendable,
  options: { timeout_ms?: number; onSent?: () => void } = {},
): Promise<Outcome> {
  const { timeout_ms = ANSWER_WAIT_MS, onSent } = options
  const at = new Date(ctx.clock.now())
  const started = performance.now()
  const { number, late = false, replay } = delivery
  const header_names = ctx.config.signature_headers
  const signing = { header_names, at_ms: at.getTime(), attempt: number, late, replay }
  const { body, headers: signed } = sign(delivery, delivery.signing_secrets, signing)
  const headers = delivery.headers ? { ...delivery.headers, ...signed } : signed
  const duration_ms = () => Math.round(performance.now() - started)
  try {
    const faulty = ctx.faults.meet(timeout_ms)
    if (faulty) onSent?.()
    const answer =
      faulty ??
      (await ctx.outbound.request({
        url: delivery.url,
        method: 'POST',
        headers,
        body,
        timeout_ms,
        max_bytes: ANSWER_MAX_BYTES,
        onSent,
      }))
    const outcome = { at, status: answer.status, error: null, duration_ms: duration_ms(), body: answer.body }
    ctx.metrics.deliveries.inc({ result: succeeded(outcome) ? 'delivered' : 'refused' })
    if (answer.status !== 429 && answer.status !== 503) return outcome
    const retry_after_ms = readRetryAfter(answer.headers['retry-after'], at.getTime())
    return retry_after_ms === undefined ? outcome : { ...outcome, retry_after_ms }
  } catch (error) {
    const text = error instanceof OutboundError ? failureText(error) : String(error)
    ctx.metrics.deliveries.inc({ result: 'unreached' })
    return { at, status: null, error: text.slice(0, 500), duration_ms: duration_ms(), body: Buffer.alloc(0) }
  }
}
