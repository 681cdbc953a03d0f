import type { ApiErrorItem, ScheduleInterval } from '@parley/contract'
import { ScheduleInterval as Intervals } from '@parley/contract'
import { IANAZone } from 'luxon'
import { oneOf, TIME, typeText, ZONE } from '../platform/http/fault-text.js'
import { Problem, problemItem } from '../platform/problem.js'
import { offsetOf, parseOffset, parseTime } from '../platform/time.js'
import { localTime, nextAfter, nextSend, type Recurrence, takesNthDay, weekdayOf } from './recurrence.js'

/** A valid schedule: the rule, and its first occurrence after now. */
export interface Schedule extends Recurrence {
  next_send_at: Date
}

type Given = Record<string, unknown>
const INTERVALS = new Set<string>(Intervals.enum)

function isWhole(value: unknown, minimum: number, maximum: number): value is number {
  return Number.isInteger(value) && (value as number) >= minimum && (value as number) <= maximum
}

/** Reads a schedule field by field and keeps every fault, each under the name of its field. */
class Reader {
  readonly faults: ApiErrorItem[] = []

  constructor(readonly schedule: Given) {}

  private refuse(code: 'blank' | 'schedule_invalid', field: string, message: string, value?: unknown) {
    this.faults.push(problemItem(code, { key: `schedule.${field}`, value, message }))
  }

  date(field: 'start_date' | 'end_date', required: boolean): Date | null {
    const value = this.schedule[field]
    if (value === undefined || value === null || value === '') {
      if (required) this.refuse('blank', field, TIME)
      return null
    }
    const date = typeof value === 'string' ? parseTime(value) : undefined
    if (!date) this.refuse('schedule_invalid', field, TIME, value)
    return date ?? null
  }

  zone(): string | null {
    const { time_zone = null } = this.schedule
    if (time_zone === null || time_zone === '') return null
    if (typeof time_zone === 'string' && IANAZone.isValidZone(time_zone)) return time_zone
    this.refuse('schedule_invalid', 'time_zone', ZONE, time_zone)
    return null
  }

  /** That of `start_date`; an answer that is sent back has its times in UTC, and the offset in a field of its own. */
  offset(): number {
    const { start_date, utc_offset = null } = this.schedule
    const given = typeof start_date === 'string' ? offsetOf(start_date) : 0
    if (utc_offset === null || utc_offset === '') return given
    const offset = typeof utc_offset === 'string' ? parseOffset(utc_offset) : undefined
    if (offset === undefined)
      this.refuse('schedule_invalid', 'utc_offset', 'must be an offset such as +03:00', utc_offset)
    return given || (offset ?? 0)
  }

  repetition(): Given {
    const { repetition } = this.schedule
    if (repetition === undefined || repetition === null)
      this.refuse('blank', 'repetition', typeText('object'))
    else if (typeof repetition !== 'object' || Array.isArray(repetition))
      this.refuse('schedule_invalid', 'repetition', typeText('object'), repetition)
    else return repetition as Given
    return {}
  }

  interval(repetition: Given): ScheduleInterval | null {
    const { interval } = repetition
    const told = this.faults.some(({ key }) => key === 'schedule.repetition')
    if (interval === undefined || interval === null || interval === '') {
      if (!told) this.refuse('blank', 'repetition.interval', oneOf([...INTERVALS]))
      return null
    }
    if (INTERVALS.has(interval as string)) return interval as ScheduleInterval
    this.refuse('schedule_invalid', 'repetition.interval', oneOf([...INTERVALS]), interval)
    return null
  }

  /** Weekdays of a weekly schedule, each once and in order; another interval has none, whatever was sent. */
  days(repetition: Given, interval: ScheduleInterval | null): number[] | null {
    if (interval !== 'weekly') return null
    const { days } = repetition
    if (days === undefined || days === null) return null
    const fits = Array.isArray(days) && days.length >= 1 && days.every((day) => isWhole(day, 0, 6))
    if (fits && days.length <= 7) return [...new Set(days as number[])].sort()
    this.refuse('schedule_invalid', 'repetition.days', 'must be 1 to 7 weekdays from 0 (Sunday) to 6', days)
    return null
  }

  nthDay(repetition: Given, interval: ScheduleInterval | null): number | null {
    const { nth_day = null } = repetition
    if (!interval || !takesNthDay(interval) || nth_day === null) return null
    if (isWhole(nth_day, 1, 5)) return nth_day
    this.refuse('schedule_invalid', 'repetition.nth_day', 'must be a whole number from 1 to 5', nth_day)
    return null
  }
}

function readShape(given: unknown): Recurrence {
  if (typeof given !== 'object' || given === null || Array.isArray(given))
    throw new Problem(422, 'schedule_invalid', { key: 'schedule', value: given, message: typeText('object') })
  const reader = new Reader(given as Given)
  const start_date = reader.date('start_date', true)
  const end_date = reader.date('end_date', false)
  const place = { time_zone: reader.zone(), utc_offset: reader.offset() }
  const repetition = reader.repetition()
  const interval = reader.interval(repetition)
  const days = reader.days(repetition, interval)
  const nth_day = reader.nthDay(repetition, interval)
  if (reader.faults.length > 0 || !start_date || !interval) throw Problem.of(422, reader.faults)
  const rule = { start_date, end_date, interval, days, nth_day, ...place }
  if (interval === 'weekly' && !days) rule.days = [weekdayOf(localTime(place, start_date))]
  return rule
}

/** A schedule as callers write it, or the refusal: its shape first, then the next send, then the end. */
export function readSchedule(given: unknown, now: Date): Schedule {
  const rule = readShape(given)
  const next_send_at = nextAfter(rule, now)
  if (!next_send_at)
    throw new Problem(422, 'next_send_at_invalid', {
      key: 'schedule.start_date',
      value: rule.start_date.toISOString(),
      message: 'the schedule sends nothing after now: choose a later start',
    })
  if (rule.end_date && (rule.end_date < next_send_at || rule.end_date < rule.start_date))
    throw new Problem(422, 'schedule_end_date_invalid', {
      key: 'schedule.end_date',
      value: rule.end_date.toISOString(),
      message: `must not lie before the first send, ${next_send_at.toISOString()}`,
    })
  return { ...rule, next_send_at }
}

/** The first times at which a schedule would send, fewer where it ends before; refused like a schedule to keep. */
export function listNextSends(given: unknown, now: Date, count: number): string[] {
  const schedule = readSchedule(given, now)
  const times: string[] = []
  let next: Date | null = schedule.next_send_at
  while (next && times.length < count) {
    times.push(next.toISOString())
    next = schedule.interval === 'once' ? null : nextSend(schedule, next)
  }
  return times
}
