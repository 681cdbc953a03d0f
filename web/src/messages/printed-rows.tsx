import { useSignal } from '@preact/signals'
import { useEffect, useState } from 'preact/hooks'
import { onPrint } from '../platform/print.js'
import { RowView } from './row-view.js'
import type { Row } from './rows.js'

/** Nobody clicks a day on paper. */
const nowhere = async () => {}

/** All rows that are loaded, on paper alone: the list on the screen draws only those that can be seen. */
export function PrintedRows({ rows, start }: { rows: readonly Row[]; start: string }) {
  const [printing, setPrinting] = useState(false)
  const active = useSignal<number | null>(null)
  useEffect(() => onPrint(setPrinting), [])
  if (!printing) return null
  return (
    <div class="timeline-print">
      {rows.map((row) => (
        <RowView key={row.key} row={row} start={start} marked={false} active={active} onGoToDate={nowhere} />
      ))}
    </div>
  )
}
