/** How long a status stays. */
export const LENGTHS = ['never', 'half_hour', 'hour', 'four_hours', 'today', 'week'] as const
export type Length = (typeof LENGTHS)[number]

const MINUTES: Partial<Record<Length, number>> = {
  half_hour: 30,
  hour: 60,
  four_hours: 240,
  week: 7 * 24 * 60,
}

/** When a status ends that is set now; null when it stays until it is removed. */
export function expiryOf(length: Length, now: Date): string | null {
  if (length === 'never') return null
  if (length === 'today') {
    const midnight = new Date(now)
    midnight.setHours(24, 0, 0, 0)
    return midnight.toISOString()
  }
  return new Date(now.getTime() + (MINUTES[length] ?? 0) * 60_000).toISOString()
}
