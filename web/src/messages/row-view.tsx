import type { Signal } from '@preact/signals'
import { memo } from 'preact/compat'
import { words } from '../platform/i18n.js'
import { type AskingAt, DayMark } from './day-mark.js'
import { MessageRow } from './message.js'
import type { Row } from './rows.js'
import { SystemLine } from './system-line.js'
import { WaitingRow } from './waiting-row.js'

interface RowViewProps {
  row: Row
  start: string
  marked: boolean
  /** The message under the pointer or the focus. */
  active: Signal<number | null>
  asking: AskingAt
}

/** Drawn again only for what it shows: the list changes with every message and every turn of the wheel. */
export const RowView = memo(({ row, start, marked, active, asking }: RowViewProps) => {
  const { messages } = words()
  switch (row.kind) {
    case 'start':
      return <p class="chat-start">{start}</p>
    case 'day':
      return <DayMark at={row.at} asking={asking} />
    case 'new':
      return (
        <div class="new-line">
          <span>{messages.new}</span>
        </div>
      )
    case 'system':
      return <SystemLine message={row.message} />
    case 'waiting':
      return <WaitingRow entry={row.entry} first={row.first} />
    case 'message':
      return <MessageRow message={row.message} first={row.first} marked={marked} active={active} />
  }
})
