import type { Clock } from '../clock.js'
import {
  allowed,
  HOLD_MS,
  HOLD_RULE,
  type RateBucket,
  type Rates,
  type RateVerdict,
  refused,
} from './rates.js'
import { countOf, createLogStore, type Log, type LogStore, waitFor } from './window.js'

export interface MemoryRates extends Rates {
  take(buckets: readonly [RateBucket, ...RateBucket[]], holder?: string): RateVerdict
  /** Empties every window and lifts every hold. */
  forget(): void
  /** How many keys are remembered at the moment. */
  size(): number
}

/** Counts exactly, in this process alone; it has no timer and forgets idle keys as it goes. */
export function createMemoryRates(clock: Clock): MemoryRates {
  const stores = new Map<string, LogStore>()
  let holds = createHolds()
  let enabled = true

  function logOf({ rule, key }: RateBucket, now: number): Log {
    let store = stores.get(rule.name)
    if (!store) {
      store = createLogStore(rule.window_ms)
      stores.set(rule.name, store)
    }
    return store.find(key, now)
  }

  function judge(buckets: readonly RateBucket[], now: number): RateVerdict | Log[] {
    const logs: Log[] = []
    let refusal: RateVerdict | undefined
    for (const bucket of buckets) {
      const log = logOf(bucket, now)
      logs.push(log)
      if (countOf(log) < bucket.rule.limit) continue
      const wait_ms = waitFor(log, bucket.rule.limit, bucket.rule.window_ms, now)
      if (!refusal || wait_ms > refusal.reset_ms) refusal = refused(bucket.rule, wait_ms)
    }
    return refusal ?? logs
  }

  return {
    take(buckets, holder) {
      if (!enabled) return allowed(buckets[0].rule, buckets[0].rule.limit, 0)
      const now = clock.now()
      const held_ms = holder === undefined ? 0 : holds.left_ms(holder, now)
      if (held_ms > 0) return refused(HOLD_RULE, held_ms)

      const outcome = judge(buckets, now)
      if (Array.isArray(outcome)) return admit(buckets, outcome, now)
      if (holder !== undefined && holds.strike(holder, now)) return refused(HOLD_RULE, HOLD_MS)
      return outcome
    },
    setEnabled(value) {
      enabled = value
    },
    forget() {
      stores.clear()
      holds = createHolds()
    },
    size() {
      let keys = holds.size()
      for (const store of stores.values()) keys += store.size()
      return keys
    },
    async close() {},
  }
}

function admit(buckets: readonly RateBucket[], logs: Log[], now: number): RateVerdict {
  let tightest: RateVerdict | undefined
  for (let i = 0; i < buckets.length; i++) {
    const { rule } = buckets[i]!
    const log = logs[i]!
    log.times.push(now)
    const remaining = rule.limit - countOf(log)
    if (tightest && tightest.remaining <= remaining) continue
    tightest = allowed(rule, remaining, waitFor(log, rule.limit, rule.window_ms, now))
  }
  return tightest!
}

/** Who was refused so often that everything is refused for a while. */
function createHolds() {
  const strikes = createLogStore(HOLD_RULE.window_ms)
  const until = new Map<string, number>()

  return {
    left_ms(holder: string, now: number): number {
      if (until.size === 0) return 0
      const left = (until.get(holder) ?? 0) - now
      if (left > 0 && left <= HOLD_MS) return left
      until.delete(holder)
      return 0
    },
    /** Notes a refusal; true when it was one too many. */
    strike(holder: string, now: number): boolean {
      const log = strikes.find(holder, now)
      log.times.push(now)
      if (countOf(log) <= HOLD_RULE.limit) return false
      log.times.length = 0
      log.head = 0
      for (const [other, end] of until) if (end <= now) until.delete(other)
      until.set(holder, now + HOLD_MS)
      return true
    },
    size: () => strikes.size() + until.size,
  }
}
