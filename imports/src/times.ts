/** Year 9999, in microseconds: later ones have no readable form. */
const TOO_LATE = 253_402_300_800_000_000

/** A time in microseconds, from a number of units since 1970 or its text; null where it is none. */
export function timeOfUnits(value: unknown, microseconds: number): number | null {
  const at = Math.round(Number(value) * microseconds)
  return at > 0 && at < TOO_LATE ? at : null
}
