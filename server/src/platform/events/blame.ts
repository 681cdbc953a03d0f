export interface NextEvent {
  id: number
  /** Null where the event is not suspected. */
  attempts: number | null
  last_error: string | null
}

/** What is noted before an attempt, and stays where the process ended during it. */
export const ENDED = 'the process ended'
export const READERS_SLOW = 'the readers took longer than'
const TIMED_OUT = 'statement timeout'
/** An event that a reader refuses, or that makes a process stuck, does so again. */
const ATTEMPTS_AT_MOST = 2
/** A machine or a database without time to spare may have nothing to do with the event. */
const ATTEMPTS_WHEN_LATE = 3
/** And even less so a process that was killed. */
const ATTEMPTS_WHEN_ENDED = 5

function attemptsAtMost(last_error: string | null): number {
  if (last_error === ENDED) return ATTEMPTS_WHEN_ENDED
  const late = last_error?.startsWith(READERS_SLOW) || last_error?.includes(TIMED_OUT)
  return late ? ATTEMPTS_WHEN_LATE : ATTEMPTS_AT_MOST
}

/** Whether an event has failed often enough to be set aside. */
export function hasFailedTooOften({ attempts, last_error }: NextEvent): boolean {
  return (attempts ?? 0) >= attemptsAtMost(last_error)
}
