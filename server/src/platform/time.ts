const DATE_TIME =
  /^(\d{4})-(\d{2})-(\d{2})(?:[T ](\d{2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?\s*(Z|[+-]\d{2}(?::?\d{2})?)?)?$/i

function offset_ms(zone: string | undefined): number {
  if (!zone || zone.toUpperCase() === 'Z') return 0
  const [, sign, hours, minutes = '00'] = /^([+-])(\d{2}):?(\d{2})?$/.exec(zone) as RegExpExecArray
  return (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes)) * 60_000
}

/** A time as callers write it: ISO 8601, an offset honoured, none meaning UTC; undefined where it is no time. */
export function parseTime(text: string): Date | undefined {
  const match = DATE_TIME.exec(text.trim())
  if (!match) return undefined
  const [, year, month, day, hour = '0', minute = '0', second = '0', fraction = '', zone] = match
  const ms = Number(fraction.padEnd(3, '0').slice(0, 3))
  const utc = Date.UTC(
    Number(year),
    Number(month) - 1,
    Number(day),
    Number(hour),
    Number(minute),
    Number(second),
    ms,
  )
  const date = new Date(utc)
  // The 30th of February and the 25th hour roll over in Date.UTC; they are no times.
  if (date.getUTCMonth() !== Number(month) - 1 || date.getUTCDate() !== Number(day)) return undefined
  if (Number(hour) > 23 || Number(minute) > 59 || Number(second) > 59) return undefined
  return new Date(utc - offset_ms(zone))
}

/** Whole seconds, as two webhook payloads and the export notice have them. */
export function wholeSeconds(date: Date): string {
  return date.toISOString().replace(/\.\d{3}Z$/, 'Z')
}
