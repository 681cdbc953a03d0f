import type { ImportOrder } from '@parley/contract'
import { useState } from 'preact/hooks'
import { useLocation } from 'preact-iso'
import { MoreButton, Reading, ReadingFailed } from '../../frame/waiting.js'
import { call } from '../../platform/api.js'
import { navigate } from '../../platform/navigate.js'
import { nextOf } from '../../platform/pages.js'
import { usePages } from '../../platform/use-pages.js'
import { importWords } from '../../words/imports.js'
import { NewImport } from './new-import.js'
import { OrderCard } from './order-card.js'
import './import-page.css'

const AGAIN_MS = 1000

async function readOrders(_: string, cursor: string | null, signal: AbortSignal) {
  const query = { limit: 10, ...(cursor ? { cursor } : {}) }
  const { data, meta } = await call('listImports', { query, signal })
  return { items: data, next: nextOf(meta) }
}

const isGoing = ({ state }: ImportOrder) => state === 'waiting' || state === 'running'

/** Imports of other messengers: check, run, report and undo. What goes on is read again every second. */
export function ImportPage() {
  const imports = importWords()
  const opened = Number(useLocation().query.order)
  const [changes, setChanges] = useState(0)
  const { items, error, busy, more, again } = usePages('', readOrders, ({ id }) => id, [changes], {
    pause_ms: (orders) => (orders.some(isGoing) ? AGAIN_MS : null),
  })
  function show(id: number) {
    navigate(`/admin/import?order=${id}`, 'replace')
    setChanges((count) => count + 1)
  }
  return (
    <>
      <NewImport onOrdered={show} />
      <section class="imports" aria-labelledby="imports-title">
        <h2 id="imports-title">{imports.list}</h2>
        {error && items && <p role="alert">{error}</p>}
        {error && !items && <ReadingFailed text={error} onRetry={again} />}
        {!items && !error && <Reading />}
        {items?.length === 0 && <p class="quiet">{imports.none}</p>}
        {items?.map((order) => (
          <OrderCard key={order.id} order={order} open={order.id === opened} onOrdered={show} />
        ))}
        {more && <MoreButton busy={busy} onMore={more} />}
      </section>
    </>
  )
}
