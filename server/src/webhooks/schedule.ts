import { HOUR_MS, MINUTE_MS } from '../platform/time.js'

const SECOND_MS = 1000

/** Waits after the first, second, … failed attempt; after one more than these a delivery is given up. */
export const WAITS_MS = [
  10 * SECOND_MS,
  MINUTE_MS,
  5 * MINUTE_MS,
  30 * MINUTE_MS,
  2 * HOUR_MS,
  5 * HOUR_MS,
  10 * HOUR_MS,
  10 * HOUR_MS,
] as const
/** A delivery whose fourth attempt was refused, about six minutes after the first, holds up nothing any more. */
export const HOLDS_UP_ATTEMPTS = 4
const JITTER = 0.2

/** Seconds or a date, as a receiver writes them; undefined where it wrote neither. */
export function readRetryAfter(header: string | undefined, now_ms: number): number | undefined {
  if (header === undefined) return undefined
  if (/^\d{1,9}$/.test(header.trim())) return Number(header) * SECOND_MS
  const date = Date.parse(header)
  return Number.isNaN(date) ? undefined : Math.max(0, date - now_ms)
}

/**
 * The wait after this many failed attempts, or undefined where no attempt is left. A receiver that asks for more time
 * gets it, up to twice the planned wait; it cannot ask for less, or it would use up its attempts within seconds.
 */
export function waitAfter(failed: number, retry_after_ms?: number, random = Math.random): number | undefined {
  const planned = WAITS_MS[failed - 1]
  if (planned === undefined) return undefined
  const jittered = planned * (1 - JITTER + 2 * JITTER * random())
  return Math.round(Math.max(jittered, Math.min(retry_after_ms ?? 0, 2 * planned)))
}
