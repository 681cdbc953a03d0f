import { signal } from '@preact/signals'

/** Some machines wake without telling the page. */
const LOOK_WITHIN_MS = 15 * 60_000

const day = signal('')

/** The time now. What is drawn with it is drawn again when another day has begun: pages stay open over night. */
export function today(): Date {
  void day.value
  return new Date()
}

/** Until the next day begins: in some places days have 23 or 25 hours. */
export function untilMidnight(now: Date): number {
  return new Date(now.getFullYear(), now.getMonth(), now.getDate() + 1).getTime() - now.getTime()
}

let timer: ReturnType<typeof setTimeout> | undefined

/** A timer may fire a moment before its time, or be told of another time zone: it looks once more then. */
function look() {
  const now = new Date()
  day.value = now.toDateString()
  clearTimeout(timer)
  timer = setTimeout(look, Math.min(untilMidnight(now), LOOK_WITHIN_MS))
}

/** Follows the calendar. Timers stand still while the machine sleeps: whatever tells of its waking looks at once. */
export function followDay() {
  look()
  for (const name of ['focus', 'online', 'pageshow']) addEventListener(name, look)
  document.addEventListener('visibilitychange', look)
}
