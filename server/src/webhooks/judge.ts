import { type Outcome, succeeded } from './attempt.js'
import type { ClaimedDelivery, ClaimedLane } from './claim-queries.js'
import type { AddressHealth } from './health.js'
import { HOLDS_UP_ATTEMPTS, waitAfter } from './schedule.js'
import type { Settlement } from './settle-queries.js'

const ONE_ATTEMPT = new Set(['button_click', 'view_submit'])

/** The state a delivery is in after an attempt, and when the next one is due. */
export function judge(delivery: ClaimedDelivery, outcome: Outcome, now_ms: number): Settlement {
  const number = delivery.attempts + 1
  const { at, status, duration_ms, error } = outcome
  const tried = { at, status, duration_ms, error }
  const settle = (
    state: Settlement['state'],
    next_attempt_at: Date | null = null,
    steps_aside = false,
  ): Settlement => ({ delivery_id: delivery.id, number, state, next_attempt_at, tried, steps_aside })
  if (succeeded(outcome)) return settle('delivered')
  const failed = number - delivery.attempts_before
  const wait_ms = waitAfter(failed, outcome.retry_after_ms)
  if (status === 410 || ONE_ATTEMPT.has(delivery.event_type) || wait_ms === undefined) return settle('failed')
  // If the address does not answer at all, later deliveries would fail as well.
  const steps_aside = !delivery.alone && status !== null && failed >= HOLDS_UP_ATTEMPTS
  return settle('pending', new Date(now_ms + wait_ms), steps_aside)
}

/** Those behind it wait for its next attempt. */
export function holdsUp({ state, steps_aside }: Settlement): boolean {
  return state === 'pending' && !steps_aside
}

/** What the attempts say of the address; undefined where they say nothing new. */
export function healthOf(lane: ClaimedLane, settlements: readonly Settlement[]): AddressHealth | undefined {
  const tried = settlements.filter((one) => one.tried !== null)
  const success = tried.findLastIndex((one) => one.state === 'delivered')
  const failures = tried.length - 1 - success
  if (failures === 0 && lane.failures === 0) return undefined
  return tried.length === 0 ? undefined : { failures, succeeded: success >= 0 }
}
