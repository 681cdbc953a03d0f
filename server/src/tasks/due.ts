import { DateTime } from 'luxon'
import { TIME } from '../platform/http/fault-text.js'
import { Problem } from '../platform/problem.js'
import { MINUTE_MS, parseTime } from '../platform/time.js'

export interface Due {
  due_at: Date | null
  all_day: boolean
}

const HALF_DAY_MS = 12 * 60 * MINUTE_MS
const LAST_SECOND = /[T ]23:59:59([.,]0+)?\s*(Z|[+-]\d{2}(:?\d{2})?)?$/i

function cutToMinute(at: Date): Date {
  return new Date(Math.floor(at.getTime() / MINUTE_MS) * MINUTE_MS)
}

/** The last second of the day on which this was written, in the offset in which it was. */
function endOfDay(text: string): Date | undefined {
  const [, date, , zone = 'Z'] = /^(\d{4}-\d{2}-\d{2})([T ].*?)?(Z|[+-]\d{2}(?::?\d{2})?)?$/i.exec(text) ?? []
  return parseTime(`${date}T23:59:59${zone}`)
}

/** Due times are whole minutes; the last second of a day means the whole day. */
export function dueAfter(before: Due, given: { due_at?: string; all_day?: boolean }): Due {
  const text = given.due_at?.trim()
  if (text === undefined) return retimed(before, given.all_day)
  if (text === '') return { due_at: null, all_day: given.all_day ?? false }
  const at = parseTime(text)
  if (!at) throw new Problem(422, 'invalid', { key: 'due_at', value: text, message: TIME })
  // The end of a day of another zone, as an answer gave it.
  if (before.all_day && given.all_day !== false && at.getTime() === before.due_at?.getTime())
    return { due_at: at, all_day: true }
  const all_day = LAST_SECOND.test(text) || (given.all_day ?? false)
  return { due_at: all_day ? (endOfDay(text) ?? at) : cutToMinute(at), all_day }
}

function retimed({ due_at, all_day }: Due, wanted: boolean | undefined): Due {
  if (wanted === undefined || wanted === all_day || !due_at) return { due_at, all_day: wanted ?? all_day }
  if (!wanted) return { due_at: cutToMinute(due_at), all_day: false }
  return { due_at: endOfDay(due_at.toISOString()) ?? due_at, all_day: true }
}

const MORNING = { hour: 9, minute: 0, second: 0, millisecond: 0 }

/** When performers are reminded: at the time itself, or on the morning of the day in the zone of the workspace. */
export function reminderOf({ due_at, all_day }: Due, time_zone: string): Date | null {
  if (!due_at || !all_day) return due_at
  // Half a day before its last second it is the same date in nearly every zone.
  const noon = new Date(due_at.getTime() - HALF_DAY_MS)
  return DateTime.fromJSDate(noon, { zone: time_zone }).set(MORNING).toJSDate()
}
