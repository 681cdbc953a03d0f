export type MuteFor = 'hour' | 'day' | 'week'

const MORNING_HOUR = 9

/** When a mute ends: after an hour or a week, or on the next morning in the zone of the device. */
export function mutedUntil(choice: MuteFor, now: Date): Date {
  const end = new Date(now)
  if (choice === 'hour') end.setHours(end.getHours() + 1)
  if (choice === 'week') end.setDate(end.getDate() + 7)
  if (choice === 'day') {
    end.setDate(end.getDate() + 1)
    end.setHours(MORNING_HOUR, 0, 0, 0)
  }
  return end
}
