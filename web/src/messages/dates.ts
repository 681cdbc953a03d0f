/** Days that people often go back to, each from its local midnight. */
export function datesAgo(now: Date): { week: Date; month: Date; start: Date } {
  const [year, month, day] = [now.getFullYear(), now.getMonth(), now.getDate()]
  // A month before the 31st is the last day of a shorter month, never a day of the month after it.
  const last = new Date(year, month, 0).getDate()
  return {
    week: new Date(year, month, day - 7),
    month: new Date(year, month - 1, Math.min(day, last)),
    start: new Date(0),
  }
}
