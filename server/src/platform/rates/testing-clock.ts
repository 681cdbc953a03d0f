import type { Clock } from '../clock.js'

/** A clock that moves only when advanced. */
export function createTestClock(at_ms = 1_700_000_000_000): Clock & { forward(by_ms: number): void } {
  let now_ms = at_ms
  return {
    now: () => now_ms,
    forward(by_ms) {
      now_ms += by_ms
    },
  }
}
