/** The only source of time. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number
}

export const systemClock: Clock = { now: () => Date.now() }

/** A clock that tests can move forward or stop. */
export interface MovableClock extends Clock {
  advance(ms: number): void
  freeze(frozen: boolean): void
  isFrozen(): boolean
  reset(): void
}

/** Makes a clock that runs at an offset from the real one, until it is frozen. */
export function movableClock(real: Clock = systemClock): MovableClock {
  let offset_ms = 0
  let frozen_at: number | null = null
  const now = () => frozen_at ?? real.now() + offset_ms
  return {
    now,
    advance(ms) {
      if (frozen_at === null) offset_ms += ms
      else frozen_at += ms
    },
    freeze(frozen) {
      if (frozen) frozen_at = now()
      else if (frozen_at !== null) {
        offset_ms = frozen_at - real.now()
        frozen_at = null
      }
    },
    isFrozen: () => frozen_at !== null,
    reset() {
      offset_ms = 0
      frozen_at = null
    },
  }
}

/** The current time as a Date. */
export function now(clock: Clock): Date {
  return new Date(clock.now())
}
