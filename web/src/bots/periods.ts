/** Periods that deliveries are sent again for. */
export const PERIODS_MS = { hour: 3_600_000, day: 86_400_000, week: 604_800_000 }
export type Period = keyof typeof PERIODS_MS
