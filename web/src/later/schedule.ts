import type { DraftSchedule, DraftScheduleInput, ScheduleInterval } from '@parley/contract'
import { dayOf, formatTime } from '../platform/format.js'

/** A schedule as its form holds it: days and times where the person is. */
export interface ScheduleForm {
  date: string
  time: string
  interval: ScheduleInterval
  /** Weekdays, 0 is Sunday. */
  days: readonly number[]
  /** Repeats on the same weekday of the month rather than on the same day. */
  by_weekday: boolean
  end_date: string
}

export const isByMonth = (interval: ScheduleInterval) =>
  interval === 'monthly' || interval.startsWith('every_')

/** Which of its kind in the month the weekday of a day is; 5 means the last. */
export function nthOf(date: string): number {
  return Math.min(5, Math.ceil(Number(date.slice(8)) / 7))
}

export function formOf(
  schedule: Pick<DraftSchedule, 'start_date' | 'end_date' | 'repetition'>,
): ScheduleForm {
  const { start_date, end_date, repetition } = schedule
  return {
    date: dayOf(start_date),
    time: formatTime(start_date),
    interval: repetition.interval,
    days: repetition.days ?? [new Date(start_date).getDay()],
    by_weekday: (repetition.nth_day ?? null) !== null,
    end_date: end_date ? dayOf(end_date) : '',
  }
}

export function formAt(at: Date): ScheduleForm {
  const start_date = at.toISOString()
  return formOf({ start_date, end_date: null, repetition: { interval: 'once' } })
}

const weekdayOf = (date: string) => new Date(`${date}T12:00`).getDay()

/** The form with another day. Where it repeats on the weekday of its day alone, it goes on to do so. */
export function atDate(form: ScheduleForm, date: string): ScheduleForm {
  const before = weekdayOf(form.date)
  const isOwnDay = form.days.length === 1 && (Number.isNaN(before) || form.days[0] === before)
  const day = weekdayOf(date)
  return { ...form, date, ...(isOwnDay && !Number.isNaN(day) ? { days: [day] } : {}) }
}

/** Where the person is, in which weekdays are meant and 9:00 stays 9:00; null where the browser cannot tell. */
function zoneHere(): string | null {
  const { timeZone } = new Intl.DateTimeFormat().resolvedOptions()
  return timeZone && timeZone !== 'Etc/Unknown' ? timeZone : null
}

/** What the server is asked for; null while there is no day or no time. */
export function scheduleOf(form: ScheduleForm): DraftScheduleInput | null {
  const { date, time, interval, days, by_weekday, end_date } = form
  const start = new Date(`${date}T${time}`)
  if (Number.isNaN(start.getTime())) return null
  return {
    start_date: start.toISOString(),
    ...(interval === 'once' ? {} : { time_zone: zoneHere() }),
    end_date: end_date && interval !== 'once' ? new Date(`${end_date}T23:59:59`).toISOString() : null,
    repetition: {
      interval,
      ...(interval === 'weekly' ? { days: [...days].sort() } : {}),
      ...(isByMonth(interval) ? { nth_day: by_weekday ? nthOf(date) : null } : {}),
    },
  }
}

/** Times that are often meant: in an hour, tomorrow morning, Monday morning. */
export function presetsAt(now: Date): { hour: Date; tomorrow: Date; monday: Date } {
  const morning = (days: number) => new Date(now.getFullYear(), now.getMonth(), now.getDate() + days, 9)
  const hour = new Date(now.getTime() + 3_600_000)
  hour.setSeconds(0, 0)
  return { hour, tomorrow: morning(1), monday: morning((8 - now.getDay()) % 7 || 7) }
}
