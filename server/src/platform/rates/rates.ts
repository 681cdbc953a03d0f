import type { RateWindow } from '@parley/contract'

export interface RateRule {
  name: string
  limit: number
  window_ms: number
}

/** A rule and whom it counts: the windows of one rule name are shared by all who use that name. */
export interface RateBucket {
  rule: RateRule
  key: string
}

export interface RateVerdict {
  allowed: boolean
  /** The rule with the longest wait when refused, with the least left when allowed, `HOLD_RULE` during a hold. */
  rule: RateRule
  remaining: number
  /** Until a slot of that rule frees, or until the hold ends. */
  reset_ms: number
  /** Whole seconds, at least 1 when refused; 0 when allowed. */
  retry_after_s: number
}

export interface Rates {
  /**
   * Takes one from every bucket, or from none when one of them is full. A holder that is refused too often is put on
   * hold: `holder` names whom (the token), and a request without one is never held.
   */
  take(buckets: readonly [RateBucket, ...RateBucket[]], holder?: string): RateVerdict | Promise<RateVerdict>
  /** While off, everything is allowed and nothing is counted. */
  setEnabled(enabled: boolean): void
  close(): Promise<void>
}

/** The same counters with the limits that an operator set, by the names of their windows. */
export function withWindows(rates: Rates, windows: readonly RateWindow[]): Rates {
  if (windows.length === 0) return rates
  const rules = new Map(
    windows.map(({ name, requests, window_s }) => [
      name,
      { name, limit: requests, window_ms: window_s * 1000 },
    ]),
  )
  const changed = ({ rule, key }: RateBucket) => ({ rule: rules.get(rule.name) ?? rule, key })
  return {
    ...rates,
    take: ([first, ...others], holder) => rates.take([changed(first), ...others.map(changed)], holder),
  }
}

/** More refusals than this within the window put their holder on hold. */
export const HOLD_RULE: RateRule = { name: 'hold', limit: 200, window_ms: 60_000 }
export const HOLD_MS = 300_000

/** The verdict on a request that was let through. */
export function allowed(rule: RateRule, remaining: number, reset_ms: number): RateVerdict {
  return { allowed: true, rule, remaining, reset_ms, retry_after_s: 0 }
}

/** The verdict on a request that has to wait. */
export function refused(rule: RateRule, reset_ms: number): RateVerdict {
  return {
    allowed: false,
    rule,
    remaining: 0,
    reset_ms,
    retry_after_s: Math.max(1, Math.ceil(reset_ms / 1000)),
  }
}
