import { signal } from '@preact/signals'

const LOOK_EVERY_MS = 60_000

const day = signal('')

/** The time now. What is drawn with it is drawn again when another day has begun: pages stay open over night. */
export function today(): Date {
  void day.value
  return new Date()
}

function look() {
  day.value = new Date().toDateString()
}

/** Follows the calendar. Timers stand still while the machine sleeps: a page that is shown again looks at once. */
export function followDay() {
  look()
  setInterval(look, LOOK_EVERY_MS)
  document.addEventListener('visibilitychange', look)
}
