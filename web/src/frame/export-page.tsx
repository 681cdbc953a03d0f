import type { Export } from '@parley/contract'
import { useCallback, useEffect, useState } from 'preact/hooks'
import { call, pathOf } from '../platform/api.js'
import { words } from '../platform/i18n.js'
import { refusalText } from '../platform/refusal.js'
import { Button } from '../ui/button.js'
import { Empty } from '../ui/empty.js'
import { Reading } from './waiting.js'
import './page.css'

/** The letter is about one of the newest orders. */
const NEWEST = 50

type Found = { state: Export['state'] | 'missing' } | { fault: string } | undefined

async function findExport(id: string): Promise<Found> {
  try {
    const { data } = await call('listExports', { query: { limit: NEWEST } })
    return { state: data.find((order) => String(order.id) === id)?.state ?? 'missing' }
  } catch (error) {
    return { fault: refusalText(error) }
  }
}

/** Where the letter about a finished export leads. */
export function ExportRoute({ id }: { id: string }) {
  const [found, setFound] = useState<Found>()
  const read = useCallback(() => void findExport(id).then(setFound), [id])
  useEffect(read, [read])
  return (
    <main class="page">
      {!found ? (
        <Reading />
      ) : 'fault' in found ? (
        <Empty icon="file" level={1} title={words().common.noExport} text={found.fault}>
          <Button onClick={read}>{words().common.retry}</Button>
        </Empty>
      ) : (
        <ExportState id={id} state={found.state} onRetry={read} />
      )}
    </main>
  )
}

interface Shown {
  id: string
  state: Export['state'] | 'missing'
  onRetry(): void
}

function ExportState({ id, state, onRetry }: Shown) {
  const { common, messages } = words()
  if (state === 'ready')
    return (
      <Empty icon="file" level={1} title={common.exported} text={common.exportedHint}>
        <a class="button button-main" href={pathOf('downloadExport', { id })[1]} download>
          {messages.download}
        </a>
      </Empty>
    )
  if (state === 'waiting' || state === 'building')
    return (
      <Empty icon="file" level={1} title={common.exporting} text={common.exportingHint}>
        <Button onClick={onRetry}>{common.retry}</Button>
      </Empty>
    )
  return <Empty icon="file" level={1} title={common.noExport} text={common.noExportHint} />
}
