import type { ImportOrder, ImportUndoPreview } from '@parley/contract'
import { useId, useState } from 'preact/hooks'
import { attempt } from '../../frame/attempt.js'
import { call } from '../../platform/api.js'
import { formatMoment } from '../../platform/format.js'
import { locale, words } from '../../platform/i18n.js'
import { Button } from '../../ui/button.js'
import { confirm } from '../../ui/confirm.js'
import { toast } from '../../ui/toast.js'
import { importWords } from '../../words/imports.js'
import { ProgressLine } from './progress-line.js'
import { Report } from './report.js'

/** The name without its folder: the key of an upload ends in the name of the file. */
const nameOf = ({ archive }: ImportOrder) => archive.split('/').at(-1) ?? archive

function listOf(counts: ImportUndoPreview['counts']): string {
  const { undoCounts } = importWords()
  const parts = (Object.keys(undoCounts) as (keyof typeof undoCounts)[]).flatMap((kind) =>
    counts[kind] ? [undoCounts[kind](counts[kind])] : [],
  )
  return new Intl.ListFormat(locale(), { type: 'conjunction' }).format(parts)
}

/** Says in numbers what an undo removes and asks; the order where it was confirmed. */
async function orderUndo(order: ImportOrder): Promise<ImportOrder | null> {
  const imports = importWords()
  const params = { id: order.id }
  const { data } = await call('previewImportUndo', { params })
  const list = listOf(data.counts)
  if (data.used_chats.length > 0) {
    toast(imports.used(data.used_chats.map(({ name }) => name).join(', ')), { look: 'bad' })
    return null
  }
  if (list === '' && order.state === 'done') {
    toast(imports.nothingLeft)
    return null
  }
  const yes = await confirm({
    title: imports.undoTitle(nameOf(order)),
    text: list === '' ? imports.nothingLeft : imports.undoText(list),
    action: imports.undo,
    cancel: words().common.cancel,
    danger: true,
  })
  return yes ? (await call('undoImport', { params })).data : null
}

/** Why it failed, in words of the client; a sentence that it does not know as the server says it, in English. */
function Fault({ error, error_code, error_detail }: ImportOrder) {
  const faults: Record<string, string> = importWords().faults
  const text = error_code === null ? undefined : faults[error_code]
  return (
    <p class="field-error" lang={text === undefined ? 'en' : undefined}>
      {text === undefined ? error : text.replace('{}', error_detail ?? '')}
    </p>
  )
}

interface OrderCardProps {
  order: ImportOrder
  /** Whether the report is shown. */
  open: boolean
  onOrdered(id: number): void
}

/** One order: what it is, how far it is, and what can be done next. */
export function OrderCard({ order, open, onOrdered }: OrderCardProps) {
  const imports = importWords()
  const id = useId()
  const { kind, state, error, report } = order
  const title = imports.kinds[kind](nameOf(order))
  return (
    <article class="import-order" aria-labelledby={id}>
      <div class="import-head">
        <h3 id={id}>{title}</h3>
        <span role="status">{imports.states[state]}</span>
        <span class="quiet">{formatMoment(order.created_at)}</span>
      </div>
      {state === 'running' && <ProgressLine progress={order.progress} />}
      {error && <Fault {...order} />}
      <NextSteps order={order} open={open} onOrdered={onOrdered} />
      {open && report && <Report order={order} report={report} title={title} />}
    </article>
  )
}

function NextSteps({ order, open, onOrdered }: OrderCardProps) {
  const imports = importWords()
  const [busy, setBusy] = useState(false)
  const { kind, state, report } = order
  const name = nameOf(order)
  const mayRun = state === 'done' && kind === 'check'
  const mayGoOn = state === 'failed' && kind === 'run'
  const mayUndo = kind === 'run' && order.import_id !== null && (state === 'done' || state === 'failed')

  async function next(begin: () => Promise<ImportOrder | null>) {
    setBusy(true)
    await attempt(async () => {
      const made = await begin()
      if (made) onOrdered(made.id)
    })
    setBusy(false)
  }
  const run = async () =>
    (await call('orderImport', { body: { import: { kind: 'run', order_id: order.id } } })).data
  return (
    <div class="import-buttons">
      {(mayRun || mayGoOn) && (
        <Button
          look="main"
          busy={busy}
          aria-label={mayRun ? imports.runFor(name) : imports.goOnFor(name)}
          onClick={() => void next(run)}
        >
          {mayRun ? imports.run : imports.goOn}
        </Button>
      )}
      {report && (
        <a
          class="button button-plain"
          href={open ? '/admin/import' : `/admin/import?order=${order.id}`}
          aria-expanded={open}
        >
          {open ? imports.hideReport : imports.showReport}
        </a>
      )}
      {mayUndo && (
        <Button
          look="quiet"
          busy={busy}
          aria-label={imports.undoFor(name)}
          onClick={() => void next(() => orderUndo(order))}
        >
          {imports.undo}
        </Button>
      )}
    </div>
  )
}
