import type { ScheduleInterval } from '@parley/contract'
import { DateTime } from 'luxon'

/** When a scheduled message is sent. All arithmetic is in UTC: an offset given with `start_date` is forgotten. */
export interface Recurrence {
  start_date: Date
  end_date: Date | null
  interval: ScheduleInterval
  /** Weekdays of `weekly`, 0 is Sunday. */
  days: number[] | null
  /** Of month-based intervals: the nth weekday of the month, 5 the last one; null goes by date. */
  nth_day: number | null
}

export const DAY_MS = 24 * 3_600_000
const LAST = 5

const MONTHS: Partial<Record<ScheduleInterval, number>> = {
  monthly: 1,
  every_2_months: 2,
  every_3_months: 3,
  every_4_months: 4,
  every_6_months: 6,
  yearly: 12,
}

/** Intervals that may go by the weekday of the month; a year goes by date alone. */
export function takesNthDay(interval: ScheduleInterval): boolean {
  return interval in MONTHS && interval !== 'yearly'
}

/** The nth, or last, weekday-of-`start` in the month that begins at `month`, at the time of day of `start`. */
function nthWeekday(start: DateTime, month: DateTime, nth: number): DateTime {
  const { hour, minute, second, millisecond } = start
  const ahead = (start.weekday - month.weekday + 7) % 7
  const first = month.set({ day: 1 + ahead, hour, minute, second, millisecond })
  if (nth < LAST) return first.plus({ weeks: nth - 1 })
  const fifth = first.plus({ weeks: 4 })
  return fifth.month === first.month ? fifth : first.plus({ weeks: 3 })
}

function* byDays(step_ms: number, start: number, from: number): Generator<number> {
  const steps = Math.max(0, Math.floor((from - start) / step_ms))
  for (let at = start + steps * step_ms; ; at += step_ms) yield at
}

function* byMonths(rule: Recurrence, step: number, from: Date): Generator<number> {
  const start = DateTime.fromJSDate(rule.start_date, { zone: 'utc' })
  const since = (from.getUTCFullYear() - start.year) * 12 + from.getUTCMonth() + 1 - start.month
  const first = start.startOf('month')
  for (let k = Math.max(0, Math.floor(since / step)); ; k += 1) {
    // Always counted from the start, so that a day cut in a short month comes back in a long one.
    const months = k * step
    const at =
      rule.nth_day === null ? start.plus({ months }) : nthWeekday(start, first.plus({ months }), rule.nth_day)
    yield at.toMillis()
  }
}

/** Instants that may match the rule in rising order, from one at or before `from`, or from the start. */
function* candidates(rule: Recurrence, from: Date): Generator<number> {
  const start = rule.start_date.getTime()
  const step = MONTHS[rule.interval]
  if (step !== undefined) yield* byMonths(rule, step, from)
  else if (rule.interval === 'daily') yield* byDays(DAY_MS, start, from.getTime())
  else {
    const days = rule.days ?? [rule.start_date.getUTCDay()]
    for (const at of byDays(DAY_MS, start, from.getTime())) {
      if (days.includes(new Date(at).getUTCDay())) yield at
    }
  }
}

/** The first occurrence strictly after an instant, whatever the end of the schedule; null when none is left. */
export function nextAfter(rule: Recurrence, after: Date): Date | null {
  if (rule.interval === 'once') return rule.start_date > after ? rule.start_date : null
  const start = rule.start_date.getTime()
  for (const at of candidates(rule, after)) {
    if (at > after.getTime() && at >= start) return new Date(at)
  }
  return null
}

/** The same, while the schedule has not ended; an occurrence exactly at the end still counts. */
export function nextSend(rule: Recurrence, after: Date): Date | null {
  const next = nextAfter(rule, after)
  return next && rule.end_date && next > rule.end_date ? null : next
}

/**
 * The occurrence to send now after any time of rest: the newest that is due and less than a day late. Occurrences lie
 * a day apart at least, so that there is one or none.
 */
export function dueOccurrence(rule: Recurrence, now: Date): Date | null {
  const newest = nextSend(rule, new Date(now.getTime() - DAY_MS))
  return newest && newest <= now ? newest : null
}
