import { words } from '../platform/i18n.js'
import { DayMark, type GoToDate } from './day-mark.js'
import { MessageRow } from './message.js'
import type { Row } from './rows.js'
import { SystemLine } from './system-line.js'
import { WaitingRow } from './waiting-row.js'

interface RowViewProps {
  row: Row
  start: string
  marked: boolean
  active: number | null
  onActive(id: number | null): void
  onGoToDate: GoToDate
}

export function RowView({ row, start, marked, active, onActive, onGoToDate }: RowViewProps) {
  const { messages } = words()
  switch (row.kind) {
    case 'start':
      return <p class="chat-start">{start}</p>
    case 'day':
      return <DayMark at={row.at} onGo={onGoToDate} />
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
      return (
        <MessageRow
          message={row.message}
          first={row.first}
          marked={marked}
          active={active === row.message.id}
          onActive={onActive}
        />
      )
  }
}
