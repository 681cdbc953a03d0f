import { useSignal } from '@preact/signals'
import { useEffect, useState } from 'preact/hooks'
import { onPrint } from '../platform/print.js'
import type { PressedMark } from './day-mark.js'
import { RowView } from './row-view.js'
import type { Row } from './rows.js'

/** All rows that are loaded, on paper alone: the list on the screen draws only those that can be seen. */
export function PrintedRows({ rows, start }: { rows: readonly Row[]; start: string }) {
  const [printing, setPrinting] = useState(false)
  // Nobody points at a message or presses a mark on paper.
  const active = useSignal<number | null>(null)
  const asking = useSignal<PressedMark | null>(null)
  useEffect(() => onPrint(setPrinting), [])
  if (!printing) return null
  return (
    <div class="timeline-print">
      {rows.map((row) => (
        <RowView key={row.key} row={row} start={start} marked={false} active={active} asking={asking} />
      ))}
    </div>
  )
}
