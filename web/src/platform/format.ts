/** Times, sizes and counts in the reader's language. Formatters are made once: making one costs more than using it. */
import { today } from './day.js'
import { locale, region } from './i18n.js'

const made = new Map<string, Intl.DateTimeFormat>()
/** By language and minute. Every message shows its time, and formatting it is the dearest part of drawing a row. */
const times = new Map<string, string>()
const TIMES_AT_MOST = 2000

function dates(options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = locale() + JSON.stringify(options)
  const known = made.get(key) ?? new Intl.DateTimeFormat(region(), options)
  made.set(key, known)
  return known
}

export function formatTime(at: string | Date): string {
  const date = new Date(at)
  const minute = `${locale()}${Math.floor(date.getTime() / 60_000)}`
  const known = times.get(minute)
  if (known !== undefined) return known
  const text = dates({ hour: '2-digit', minute: '2-digit', hourCycle: 'h23' }).format(date)
  if (times.size >= TIMES_AT_MOST) times.clear()
  times.set(minute, text)
  return text
}

/** What time it is now in a zone. */
export function formatTimeIn(timeZone: string, now = new Date()): string {
  return dates({ hour: '2-digit', minute: '2-digit', hourCycle: 'h23', timeZone }).format(now)
}

/** The local calendar day as `2030-01-31`. */
export function dayOf(at: string | Date): string {
  const date = new Date(at)
  const two = (part: number) => String(part).padStart(2, '0')
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`
}

export function daysBetween(earlier: string, later: string): number {
  return Math.round((Date.parse(later) - Date.parse(earlier)) / 86_400_000)
}

const relative = new Map<string, Intl.RelativeTimeFormat>()

/** `today`, `yesterday`. */
function nameOfDay(days: number): string {
  const known = relative.get(locale()) ?? new Intl.RelativeTimeFormat(locale(), { numeric: 'auto' })
  relative.set(locale(), known)
  return known.format(days, 'day')
}

/** `Today`, `Yesterday`, `Thursday, 12 November`, with the year when it is another one. */
export function formatDay(at: string | Date, now = today()): string {
  const days = daysBetween(dayOf(at), dayOf(now))
  if (days === 0 || days === 1) {
    const text = nameOfDay(-days)
    return text[0]?.toLocaleUpperCase(locale()) + text.slice(1)
  }
  const date = new Date(at)
  const text = dates({ weekday: 'long', day: 'numeric', month: 'long', ...yearOf(date, now) }).format(date)
  return text[0]?.toLocaleUpperCase(locale()) + text.slice(1)
}

/** The year is written where it is another one. */
function yearOf(date: Date, now: Date): { year?: 'numeric' } {
  return date.getFullYear() === now.getFullYear() ? {} : { year: 'numeric' }
}

/** The time today, the day and the time before. */
export function formatMoment(at: string | Date, now = today()): string {
  const time = formatTime(at)
  const days = daysBetween(dayOf(at), dayOf(now))
  if (days === 0) return time
  if (days === 1) return `${nameOfDay(-1)}, ${time}`
  const date = new Date(at)
  return `${dates({ day: 'numeric', month: 'short', ...yearOf(date, now) }).format(date)}, ${time}`
}

const UNITS = ['byte', 'kilobyte', 'megabyte', 'gigabyte'] as const

export function formatSize(bytes: number): string {
  const power = Math.min(UNITS.length - 1, bytes < 1 ? 0 : Math.floor(Math.log10(bytes) / 3))
  const value = bytes / 1000 ** power
  const digits = value < 10 && power > 0 ? 1 : 0
  const options = {
    style: 'unit',
    unit: UNITS[power] ?? 'byte',
    unitDisplay: power === 0 ? 'long' : 'short',
  } as const
  return new Intl.NumberFormat(locale(), { ...options, maximumFractionDigits: digits }).format(value)
}

/** `1:05` for lengths of sound and video. */
export function formatLength(ms: number): string {
  const seconds = Math.round(ms / 1000)
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`
}
