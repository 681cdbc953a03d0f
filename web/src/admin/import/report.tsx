import type { ImportOrder } from '@parley/contract'
import { formatLength, formatSize } from '../../platform/format.js'
import { locale } from '../../platform/i18n.js'
import { Button } from '../../ui/button.js'
import { Table } from '../../ui/table.js'
import { importWords } from '../../words/imports.js'
import { saveFile } from '../csv.js'

type ImportReport = NonNullable<ImportOrder['report']>
type Remark = ImportReport['remarks'][number]

/** A kind of record in words; one that this client does not know as the server calls it. */
export function nameOfKind(kind: string): string {
  const names: Record<string, string> = importWords().records
  return names[kind] ?? kind.replaceAll('_', ' ')
}

interface ReportProps {
  order: ImportOrder
  report: ImportReport
  title: string
}

/** What became of an archive: numbers for each kind, and what was left out or lost. */
export function Report({ order: { id, kind }, report, title }: ReportProps) {
  const imports = importWords()
  const numbers = new Intl.NumberFormat(locale())
  const order = Object.keys(imports.records)
  const rows = Object.entries(report.counts)
    .map(([of, sums]) => ({ of, ...sums }))
    .sort((one, other) => order.indexOf(one.of) - order.indexOf(other.of))
  const columns = [
    { title: imports.read, of: 'read' },
    { title: kind === 'check' ? imports.wouldWrite : imports.written, of: 'written' },
    { title: imports.merged, of: 'merged' },
    { title: imports.skipped, of: 'skipped' },
  ] as const
  const save = () =>
    saveFile(`import-${id}.json`, new Blob([JSON.stringify(report, null, 2)], { type: 'application/json' }))
  return (
    <div class="import-report">
      <Table
        caption={imports.reportOf(title)}
        rows={rows}
        keyOf={({ of }) => of}
        empty={imports.nothingLeft}
        columns={[
          { title: imports.kind, draw: ({ of }) => nameOfKind(of) },
          ...columns.map(({ title, of }) => ({
            title,
            end: true,
            draw: (row: (typeof rows)[number]) => numbers.format(row[of]),
          })),
        ]}
      />
      <Needs estimate={report.estimate} />
      <Remarks remarks={report.remarks} />
      <Never {...report} />
      <div class="import-buttons">
        <Button onClick={save}>{imports.download}</Button>
      </div>
    </div>
  )
}

function Needs({ estimate }: Pick<ImportReport, 'estimate'>) {
  if (!estimate) return null
  const { seconds, database_bytes, file_bytes } = estimate
  const time = formatLength(seconds * 1000)
  return <p>{importWords().needs(time, formatSize(database_bytes), formatSize(file_bytes))}</p>
}

/** What this kind of archive never holds. */
function Never({ lost, lost_codes }: ImportReport) {
  const imports = importWords()
  const known: Record<string, string> = imports.lost
  if (lost.length === 0) return null
  return (
    <div>
      <h4>{imports.never}</h4>
      <ul class="import-never">
        {lost.map((text, index) => {
          const own = known[lost_codes[index] ?? '']
          return (
            <li key={text} lang={own === undefined ? 'en' : undefined}>
              {own ?? text}
            </li>
          )
        })}
      </ul>
    </div>
  )
}

/** Reasons in words of the client; one that it does not know as the server says it, in English. */
function Remarks({ remarks }: { remarks: readonly Remark[] }) {
  const imports = importWords()
  const kinds: Record<string, string> = imports.remarkKinds
  if (remarks.length === 0) return <p class="quiet">{imports.noRemarks}</p>
  return (
    <Table
      caption={imports.remarks}
      rows={remarks}
      keyOf={({ kind, of, reason }) => `${kind} ${of} ${reason}`}
      empty=""
      columns={[
        { title: imports.remark, draw: ({ kind }) => kinds[kind] ?? kind },
        { title: imports.kind, draw: (remark) => <Reason {...remark} /> },
        { title: imports.count, end: true, draw: ({ count }) => count },
        {
          title: imports.ids,
          draw: ({ ids }) => <span class="import-ids">{ids.slice(0, 3).join(', ')}</span>,
        },
      ]}
    />
  )
}

function Reason({ of, reason, code, detail }: Remark) {
  const reasons: Record<string, string> = importWords().reasons
  const text = code === null ? undefined : reasons[code]
  return (
    <span class="import-reason">
      {nameOfKind(of)}:{' '}
      {text === undefined ? <span lang="en">{reason}</span> : text.replace('{}', detail ?? '')}
    </span>
  )
}
