import type { Judged } from './baseline.js'
import { escapeText } from './escape.js'
import { byArea, type Report } from './report.js'

const seconds = (ms: number) => (ms / 1000).toFixed(3)

function contentOf({ verdict, unexpected, message = '' }: Judged): string {
  const told = escapeText(message.split('\n')[0] ?? '')
  if (unexpected)
    return `<failure message="${verdict === 'failed' ? told : verdict}">${escapeText(message)}</failure>`
  return verdict === 'passed' ? '' : `<skipped message="${verdict}: ${told}"/>`
}

function testcase(outcome: Judged): string {
  const { law, duration_ms } = outcome
  const name = escapeText(`${law.id} ${law.rule}`)
  return `    <testcase classname="${escapeText(law.area)}" name="${name}" time="${seconds(duration_ms)}">${contentOf(outcome)}</testcase>`
}

function testsuite(area: string, outcomes: readonly Judged[]): string {
  const failures = outcomes.filter(({ unexpected }) => unexpected).length
  const passed = outcomes.filter(({ verdict }) => verdict === 'passed').length
  const skipped = outcomes.length - failures - passed
  const time = seconds(outcomes.reduce((sum, { duration_ms }) => sum + duration_ms, 0))
  const counts = `tests="${outcomes.length}" failures="${failures}" errors="0" skipped="${skipped}" time="${time}"`
  return `  <testsuite name="${escapeText(area)}" ${counts}>\n${outcomes.map(testcase).join('\n')}\n  </testsuite>`
}

/** JUnit has no known failures: they are skipped, with the reason. */
export function junitReport({ outcomes, began_at }: Report): string {
  const failures = outcomes.filter(({ unexpected }) => unexpected).length
  const suites = [...byArea(outcomes)].map(([area, list]) => testsuite(area, list))
  const head = `<testsuites name="conformance" tests="${outcomes.length}" failures="${failures}" timestamp="${began_at}">`
  return `<?xml version="1.0" encoding="UTF-8"?>\n${head}\n${suites.join('\n')}\n</testsuites>\n`
}
