import { ApiFailure } from './api.js'

const AGAIN_AFTER_MS = 1000
const AGAIN_AT_MOST_MS = 15_000

/** How long to wait before what failed is asked for again: longer each time, and never less than the server wants. */
export function pauseAfter(error: unknown, attempts: number): number {
  const wanted_ms = error instanceof ApiFailure ? (error.retry_after_ms ?? 0) : 0
  return Math.max(wanted_ms, Math.min(AGAIN_AT_MOST_MS, AGAIN_AFTER_MS * 2 ** attempts))
}
