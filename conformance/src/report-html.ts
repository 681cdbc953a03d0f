import type { Judged } from './baseline.js'
import { EDITION } from './edition.js'
import { escapeText } from './escape.js'
import { byArea, type Report, summarize } from './report.js'

const STYLE = `
body { font: 15px/1.5 system-ui, sans-serif; max-width: 75rem; margin: 2rem auto; padding: 0 1rem; color: #1c1e21 }
table { border-collapse: collapse; width: 100%; table-layout: fixed }
td, th { text-align: left; padding: .3rem .6rem; border-bottom: 1px solid #dde1e6; vertical-align: top; overflow-wrap: anywhere }
th:first-child { width: 15rem } th:nth-child(2) { width: 9rem }
summary { cursor: pointer; font-size: 1.15rem; margin: 1rem 0 .3rem }
pre { white-space: pre-wrap; margin: .3rem 0; color: #8a1f11 }
.good { color: #176b37 } .bad { color: #b3261e; font-weight: 600 } .open { color: #5f6570 }`

function classOf({ verdict, unexpected }: Judged): string {
  if (unexpected) return 'bad'
  return verdict === 'passed' ? 'good' : 'open'
}

function row(outcome: Judged): string {
  const { law, verdict, message } = outcome
  const why = message ? `<pre>${escapeText(message)}</pre>` : ''
  const rule = `${escapeText(law.rule)}${why}`
  return `<tr id="${escapeText(law.id)}"><td>${escapeText(law.id)}</td><td class="${classOf(outcome)}">${verdict}</td><td>${rule}</td></tr>`
}

function section(area: string, outcomes: readonly Judged[]): string {
  const open = outcomes.some(({ unexpected }) => unexpected) ? ' open' : ''
  const head = '<tr><th>Law</th><th>Verdict</th><th>Rule</th></tr>'
  return `<details${open}><summary>${escapeText(area)}: ${summarize(outcomes)}</summary>
<table>${head}
${outcomes.map(row).join('\n')}
</table></details>`
}

/** One page that needs nothing beside it. */
export function htmlReport(report: Report): string {
  const { base_url, level, began_at, outcomes } = report
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Conformance of ${escapeText(base_url)}</title><style>${STYLE}</style></head>
<body><h1>Conformance of ${escapeText(base_url)}</h1>
<p>Edition ${EDITION}, level ${level}, ${began_at}. ${summarize(outcomes)}.</p>
${[...byArea(outcomes)].map(([area, list]) => section(area, list)).join('\n')}
</body></html>
`
}
