import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import { attempt } from '../frame/attempt.js'
import { dayOf, formatDay } from '../platform/format.js'
import { words } from '../platform/i18n.js'
import { Button } from '../ui/button.js'
import { placeBeside } from '../ui/place.js'
import { datesAgo } from './dates.js'
import './day-mark.css'

/** Goes to the first message that is not earlier. */
export type GoToDate = (at: Date) => Promise<void>

/** The name of a day between its messages and those before; pressed, it asks for the day to go to. */
export function DayMark({ at, onGo }: { at: string; onGo: GoToDate }) {
  const [open, setOpen] = useState(false)
  const button = useRef<HTMLButtonElement>(null)
  const box = useRef<HTMLDivElement>(null)
  const { messages } = words()
  // Where it fits is known once the fields are there.
  useLayoutEffect(() => {
    if (!open || !box.current || !button.current) return
    placeBeside(button.current, box.current, { align: 'center' })
    box.current.querySelector('input')?.focus()
  }, [open])
  const go = async (date: Date) => {
    box.current?.hidePopover()
    await attempt(() => onGo(date))
  }
  return (
    <div class="day">
      <button
        ref={button}
        type="button"
        class="day-name"
        data-tip={messages.goToDate}
        aria-haspopup="dialog"
        aria-expanded={open}
        onClick={() => box.current?.togglePopover()}
      >
        {formatDay(at)}
      </button>
      <div
        ref={box}
        class="popover date-jump"
        popover="auto"
        role="dialog"
        aria-label={messages.goToDate}
        onToggle={(event) => setOpen(event.newState === 'open')}
      >
        {open && <DateJump day={dayOf(at)} onGo={go} />}
      </div>
    </div>
  )
}

function DateJump({ day, onGo }: { day: string; onGo: GoToDate }) {
  const [wanted, setWanted] = useState(day)
  const { messages } = words()
  const { week, month, start } = datesAgo(new Date())
  const places = [
    [messages.weekAgo, week],
    [messages.monthAgo, month],
    [messages.veryStart, start],
  ] as const
  return (
    <>
      <form
        class="date-jump-row"
        onSubmit={(event) => {
          event.preventDefault()
          if (wanted !== '') void onGo(new Date(`${wanted}T00:00`))
        }}
      >
        <input
          class="input"
          type="date"
          aria-label={messages.date}
          max={dayOf(new Date())}
          value={wanted}
          onInput={({ currentTarget }) => setWanted(currentTarget.value)}
        />
        <Button look="main" type="submit">
          {messages.go}
        </Button>
      </form>
      {places.map(([label, date]) => (
        <button key={label} type="button" class="menu-item" onClick={() => void onGo(date)}>
          {label}
        </button>
      ))}
    </>
  )
}
