/** A `ts`: seconds, a point, microseconds. Never read as a float, which has no room for it. */
export function timeOfTs(ts: string): number | null {
  const match = /^(\d{1,11})(?:\.(\d{1,6}))?$/.exec(ts)
  if (!match) return null
  return Number(match[1]) * 1_000_000 + Number((match[2] ?? '').padEnd(6, '0'))
}

/** Seconds as a number or as text; placeholders such as 0 and 1 are no time. */
export function seconds(value: unknown): number | null {
  const at = Number(value)
  return Number.isFinite(at) && at > 1_000_000 && at < 1e11 ? Math.round(at * 1_000_000) : null
}

export function milliseconds(value: unknown): number | null {
  const at = Number(value)
  return Number.isFinite(at) && at > 1e9 && at < 1e14 ? Math.round(at * 1000) : null
}
