import type { Export } from '@parley/contract'
import { useState } from 'preact/hooks'
import { ApiFailure, call, pathOf } from '../platform/api.js'
import { formatMoment, formatSize } from '../platform/format.js'
import { nextOf } from '../platform/pages.js'
import { refusalText } from '../platform/refusal.js'
import { usePages } from '../platform/use-pages.js'
import { state } from '../store.js'
import { Button } from '../ui/button.js'
import { TextField } from '../ui/field.js'
import { toast } from '../ui/toast.js'
import { adminWords } from '../words/admin.js'
import { ListView } from './list-view.js'

async function readExports(_: string, cursor: string | null, signal: AbortSignal) {
  const query = { limit: 50, ...(cursor ? { cursor } : {}) }
  const { data, meta } = await call('listExports', { query, signal })
  return { items: data, next: nextOf(meta) }
}

const AGAIN_AFTER_MS = 2_000

/** Archives of messages: order one, see how far they are, and download them. */
export function ExportsPage() {
  const admin = adminWords()
  const [changes, setChanges] = useState(0)
  const pages = usePages('', readExports, ({ id }) => id, [changes], {
    pause_ms: (orders) => (orders.some(({ state: now }) => now === 'building') ? AGAIN_AFTER_MS : null),
  })
  return (
    <>
      <NewExport onOrdered={() => setChanges(changes + 1)} />
      <ListView
        caption={admin.pages.exports}
        pages={pages}
        keyOf={({ id }) => id}
        empty={admin.noExports}
        columns={[
          { title: admin.period, draw: ({ start_at, end_at }) => `${start_at} – ${end_at}` },
          { title: admin.state, draw: progressOf },
          { title: admin.when, draw: ({ created_at }) => formatMoment(created_at) },
          { title: admin.download, end: true, draw: (order) => <DownloadLink order={order} /> },
        ]}
      />
    </>
  )
}

function progressOf({ state: now, days, days_done }: Export): string {
  const admin = adminWords()
  return now === 'building'
    ? `${admin.states.building}: ${admin.progress(days_done, days)}`
    : admin.states[now]
}

function DownloadLink({ order: { id, state: now, size, user_id } }: { order: Export }) {
  if (now !== 'ready' || user_id !== state.session.value?.user.id) return null
  return (
    <a class="button button-plain" href={pathOf('downloadExport', { id })[1]} download>
      {adminWords().download} {size === null ? '' : `(${formatSize(size)})`}
    </a>
  )
}

function NewExport({ onOrdered }: { onOrdered(): void }) {
  const admin = adminWords()
  const [start_at, setStart] = useState('')
  const [end_at, setEnd] = useState('')
  const [error, setError] = useState<string>()
  const [busy, setBusy] = useState(false)
  async function order() {
    setError(start_at && end_at ? undefined : admin.wrongPeriod)
    if (!start_at || !end_at) return
    setBusy(true)
    try {
      await call('orderExport', { body: { start_at, end_at } })
      toast(admin.ordered)
      onOrdered()
    } catch (failure) {
      const wrong = failure instanceof ApiFailure && failure.status === 422
      setError(wrong ? admin.wrongPeriod : refusalText(failure))
    }
    setBusy(false)
  }
  return (
    <section class="admin-form">
      <h2>{admin.exportTitle}</h2>
      <p class="quiet">{admin.exportText}</p>
      <div class="admin-tools">
        <TextField label={admin.from} type="date" value={start_at} onText={setStart} />
        <TextField label={admin.to} type="date" value={end_at} onText={setEnd} />
        <Button look="main" busy={busy} onClick={() => void order()}>
          {admin.order}
        </Button>
      </div>
      {error && (
        <p class="field-error" role="alert">
          {error}
        </p>
      )}
    </section>
  )
}
