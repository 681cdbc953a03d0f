import { escapeHtml } from '../platform/http/escape-html.js'
import { type ImportReport, needsOf, titleOf } from './report.js'

const STYLE = `body { font: 16px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem; color: #1c1c1e; }
table { border-collapse: collapse; width: 100%; margin: 1rem 0; }
th, td { text-align: left; padding: 0.35rem 0.6rem; border-bottom: 1px solid #d8d8dc; vertical-align: top; }
td.number, th.number { text-align: right; font-variant-numeric: tabular-nums; }
.ids { color: #5b5b60; overflow-wrap: anywhere; }`

const TITLES: Record<string, string> = {
  skipped: 'Not taken',
  lost: 'Taken, but not as it was',
  warning: 'Worth a look',
}

function row(cells: readonly (string | number)[]): string {
  const cell = (value: string | number) =>
    typeof value === 'number' ? `<td class="number">${value}</td>` : `<td>${escapeHtml(value)}</td>`
  return `<tr>${cells.map(cell).join('')}</tr>`
}

function countsOf({ counts }: ImportReport): string {
  const rows = Object.entries(counts).map(([kind, { read, written, merged, skipped }]) =>
    row([kind.replaceAll('_', ' '), read, written, merged, skipped]),
  )
  const head = ['Read', 'Written', 'Merged', 'Skipped']
    .map((name) => `<th class="number">${name}</th>`)
    .join('')
  return `<table><thead><tr><th>Kind</th>${head}</tr></thead><tbody>${rows.join('')}</tbody></table>`
}

function remarksOf({ remarks }: ImportReport): string {
  return Object.entries(TITLES)
    .map(([kind, title]) => {
      const rows = remarks
        .filter((remark) => remark.kind === kind)
        .map(({ of, reason, count, ids }) => {
          const some = `${ids.map(escapeHtml).join(', ')}${count > ids.length ? ', …' : ''}`
          const what = `${of.replaceAll('_', ' ')} ${reason}`
          return `<tr><td class="number">${count}</td><td>${escapeHtml(what)}</td><td class="ids">${some}</td></tr>`
        })
      return rows.length === 0 ? '' : `<h2>${title}</h2><table><tbody>${rows.join('')}</tbody></table>`
    })
    .join('')
}

/** The report of an import as a page for people, in one file that loads nothing. */
export function reportPage(report: ImportReport): string {
  const { archive, archive_sha256, source, workspace, state, started_at, finished_at, estimate, lost } =
    report
  const title = titleOf(report)
  const options = Object.entries(report.options)
  const facts = [
    ['Archive', archive],
    ...(archive_sha256 ? [['SHA-256', archive_sha256]] : []),
    ...(options.length > 0
      ? [['Choices', options.map(([name, value]) => `${name} ${value}`).join(', ')]]
      : []),
    ['Imported by', `user ${report.user_id}`],
    ['Source', `${source}, ${workspace}`],
    ['State', state],
    ['Started', started_at],
    ['Finished', finished_at ?? 'not yet'],
    ...(estimate ? [['A run needs', needsOf(estimate)]] : []),
  ].map((fact) => row(fact))
  const never = lost.map((text) => `<li>${escapeHtml(text)}</li>`).join('')
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>${title}</title><style>${STYLE}</style></head><body>
<h1>${title}</h1><table><tbody>${facts.join('')}</tbody></table>
<h2>What became of it</h2>${countsOf(report)}${remarksOf(report)}
${never === '' ? '' : `<h2>Never in such an archive</h2><ul>${never}</ul>`}
</body></html>
`
}
