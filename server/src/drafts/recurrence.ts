import type { ScheduleInterval } from '@parley/contract'
import { DateTime, FixedOffsetZone, IANAZone, type Zone } from 'luxon'
import { DAY_MS } from '../platform/time.js'

/**
 * When a scheduled message is sent. Weekday, day of month and time of day are read in `time_zone`, where 09:00 stays
 * 09:00 over daylight saving: a time that the clocks skip is moved forward, one that they show twice happens once.
 * Without a zone they are read at the offset of `start_date`.
 */
export interface Recurrence {
  start_date: Date
  /** Minutes east of Greenwich. */
  utc_offset: number
  /** IANA name. */
  time_zone: string | null
  end_date: Date | null
  interval: ScheduleInterval
  /** Weekdays of `weekly`, 0 is Sunday. */
  days: number[] | null
  /** Of month-based intervals: the nth weekday of the month, 5 the last one; null goes by date. */
  nth_day: number | null
}

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

/**
 * The nth, or last, weekday-of-`start` in the month that begins at `month`, at the time of day of `start`. The time is set on the day
 * itself: weeks counted from the first such weekday would keep a time that the clocks moved on that one.
 */
function nthWeekday(start: DateTime, month: DateTime, nth: number): DateTime {
  const { hour, minute, second, millisecond } = start
  const first = 1 + ((start.weekday - month.weekday + 7) % 7)
  const nthDay = first + 7 * (nth - 1)
  const day = nthDay > (month.daysInMonth ?? 0) ? nthDay - 7 : nthDay
  return month.set({ day, hour, minute, second, millisecond })
}

function zoneOf({ time_zone, utc_offset }: Pick<Recurrence, 'time_zone' | 'utc_offset'>): Zone {
  return time_zone === null ? FixedOffsetZone.instance(utc_offset) : IANAZone.create(time_zone)
}

/** An instant as the calendar and clock of the schedule show it. */
export function localTime(rule: Pick<Recurrence, 'time_zone' | 'utc_offset'>, at: Date): DateTime {
  return DateTime.fromJSDate(at, { zone: zoneOf(rule) })
}

/** 0 is Sunday. */
export function weekdayOf(local: DateTime): number {
  return local.weekday % 7
}

/** Always counted from the start, so that a time moved in spring and a day cut in a short month come back. */
function* byDays(start: DateTime, from: Date): Generator<DateTime> {
  // A day less: days of daylight saving have other lengths.
  const since = Math.floor((from.getTime() - start.toMillis()) / DAY_MS) - 1
  for (let days = Math.max(0, since); ; days += 1) yield start.plus({ days })
}

function* byMonths(start: DateTime, from: DateTime, step: number, nth: number | null): Generator<DateTime> {
  const since = (from.year - start.year) * 12 + from.month - start.month
  const first = start.startOf('month')
  for (let k = Math.max(0, Math.floor(since / step)); ; k += 1) {
    const months = k * step
    yield nth === null ? start.plus({ months }) : nthWeekday(start, first.plus({ months }), nth)
  }
}

/** Instants that may match the rule in rising order, from one at or before `from`, or from the start. */
function* candidates(rule: Recurrence, from: Date): Generator<DateTime> {
  const start = localTime(rule, rule.start_date)
  const step = MONTHS[rule.interval]
  if (step !== undefined) yield* byMonths(start, localTime(rule, from), step, rule.nth_day)
  else if (rule.interval === 'daily') yield* byDays(start, from)
  else {
    const days = rule.days ?? [weekdayOf(start)]
    for (const at of byDays(start, from)) if (days.includes(weekdayOf(at))) yield at
  }
}

/** The last time that answers can name: years have four digits. */
const LAST_MS = Date.UTC(9999, 11, 31, 23, 59, 59, 999)

/** The first occurrence strictly after an instant, whatever the end of the schedule; null when none is left. */
export function nextAfter(rule: Recurrence, after: Date): Date | null {
  if (rule.interval === 'once') return rule.start_date > after ? rule.start_date : null
  const start = rule.start_date.getTime()
  for (const candidate of candidates(rule, after)) {
    const at = candidate.toMillis()
    if (at > LAST_MS) break
    if (at > after.getTime() && at >= start) return new Date(at)
  }
  return null
}

/** The same, while the schedule has not ended; an occurrence exactly at the end still counts. */
export function nextSend(rule: Recurrence, after: Date): Date | null {
  const next = nextAfter(rule, after)
  return next && rule.end_date && next > rule.end_date ? null : next
}

/** The occurrence to send now after any time of rest: one that is due and less than a day late. */
export function dueOccurrence(rule: Recurrence, now: Date): Date | null {
  const newest = nextSend(rule, new Date(now.getTime() - DAY_MS))
  return newest && newest <= now ? newest : null
}
