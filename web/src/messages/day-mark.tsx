import { type Signal, useComputed } from '@preact/signals'
import { dayOf, formatDay } from '../platform/format.js'
import { words } from '../platform/i18n.js'
import './day-mark.css'

/** A mark that was pressed, and a time of its day. */
export interface PressedMark {
  at: string
  button: HTMLElement
}

/** The mark beside which the day to go to is asked for. */
export type AskingAt = Signal<PressedMark | null>

/** The name of a day between its messages and those before; pressed, it asks for the day to go to. */
export function DayMark({ at, asking }: { at: string; asking: AskingAt }) {
  const isAsking = useComputed(() => asking.value !== null && dayOf(asking.value.at) === dayOf(at)).value
  return (
    <div class="day">
      <button
        type="button"
        class="day-name"
        data-tip={words().messages.goToDate}
        aria-haspopup="dialog"
        aria-expanded={isAsking}
        onClick={({ currentTarget }) => {
          asking.value = { at, button: currentTarget }
        }}
      >
        {formatDay(at)}
      </button>
    </div>
  )
}
