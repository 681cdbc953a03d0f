export const MINUTE_MS = 60_000
export const HOUR_MS = 60 * MINUTE_MS
export const DAY_MS = 24 * HOUR_MS

const DATE_TIME =
  /^(\d{4})-(\d{2})-(\d{2})(?:[T ](\d{2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?\s*(Z|[+-](?:[01]\d|2[0-3])(?::?[0-5]\d)?)?)?$/i

function offset_ms(zone: string | undefined): number {
  if (!zone || zone.toUpperCase() === 'Z') return 0
  const [, sign, hours, minutes = '00'] = /^([+-])(\d{2}):?(\d{2})?$/.exec(zone) as RegExpExecArray
  return (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes)) * MINUTE_MS
}

/**
 * A time as callers write it: ISO 8601, an offset honoured, none meaning UTC; undefined where it is no time, or outside the years
 * that answers can name.
 */
export function parseTime(text: string): Date | undefined {
  const match = DATE_TIME.exec(text.trim())
  if (!match) return undefined
  const [, year, month, day, hour = '0', minute = '0', second = '0', fraction = '', zone] = match
  const ms = Number(fraction.padEnd(3, '0').slice(0, 3))
  const date = new Date(0)
  // Date.UTC would take the years up to 99 for those of the 20th century.
  date.setUTCFullYear(Number(year), Number(month) - 1, Number(day))
  date.setUTCHours(Number(hour), Number(minute), Number(second), ms)
  // The 30th of February and the 25th hour roll over; they are no times.
  if (date.getUTCMonth() !== Number(month) - 1 || date.getUTCDate() !== Number(day)) return undefined
  if (Number(hour) > 23 || Number(minute) > 59 || Number(second) > 59) return undefined
  const time = new Date(date.getTime() - offset_ms(zone))
  return time.getUTCFullYear() >= 1 && time.getUTCFullYear() <= 9999 ? time : undefined
}

/** The offset that a time is written with, in minutes east of Greenwich; 0 where it names none. */
export function offsetOf(text: string): number {
  return offset_ms(DATE_TIME.exec(text.trim())?.[8]) / MINUTE_MS
}

const OFFSET = /^[+-](?:[01]\d|2[0-3]):[0-5]\d$/

/** An offset alone, such as `+03:00`, in minutes; undefined where it is invalid. */
export function parseOffset(text: string): number | undefined {
  return OFFSET.test(text) ? offset_ms(text) / MINUTE_MS : undefined
}

export function formatOffset(minutes: number): string {
  const size = Math.abs(minutes)
  const parts = [Math.floor(size / 60), size % 60].map((part) => String(part).padStart(2, '0'))
  return `${minutes < 0 ? '-' : '+'}${parts.join(':')}`
}

/** Whole seconds, as two webhook payloads and the export notice have them. */
export function wholeSeconds(date: Date): string {
  return date.toISOString().replace(/\.\d{3}Z$/, 'Z')
}
