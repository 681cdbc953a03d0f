import type { Judged, Verdict } from './baseline.js'
import { EDITION } from './edition.js'
import type { Level } from './law.js'

export interface Report {
  /** The address of the API. */
  base_url: string
  level: Level
  began_at: string
  outcomes: readonly Judged[]
  /** What could not be removed. */
  leftovers: readonly string[]
}

export function countVerdicts(outcomes: readonly Judged[]): Map<Verdict, number> {
  const counts = new Map<Verdict, number>()
  for (const { verdict } of outcomes) counts.set(verdict, (counts.get(verdict) ?? 0) + 1)
  return counts
}

/** "756 passed, 2 failed" */
export function summarize(outcomes: readonly Judged[]): string {
  return [...countVerdicts(outcomes)].map(([verdict, count]) => `${count} ${verdict}`).join(', ')
}

export function byArea(outcomes: readonly Judged[]): Map<string, Judged[]> {
  const areas = new Map<string, Judged[]>()
  for (const outcome of outcomes)
    areas.set(outcome.law.area, [...(areas.get(outcome.law.area) ?? []), outcome])
  return areas
}

/** For programs: ids and verdicts do not change their meaning. */
export function jsonReport(report: Report): string {
  const { base_url, level, began_at, leftovers } = report
  const laws = report.outcomes.map(({ law, verdict, message, duration_ms }) => ({
    id: law.id,
    level: law.level,
    area: law.area,
    rule: law.rule,
    operations: law.operations,
    verdict,
    ...(message ? { message } : {}),
    duration_ms: Math.round(duration_ms),
  }))
  const counts = Object.fromEntries(countVerdicts(report.outcomes))
  return `${JSON.stringify({ edition: EDITION, base_url, level, began_at, counts, laws, leftovers }, null, 1)}\n`
}
