import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import { attempt } from '../frame/attempt.js'
import { dayOf } from '../platform/format.js'
import { words } from '../platform/i18n.js'
import { Button } from '../ui/button.js'
import { rescueFocus } from '../ui/modal.js'
import { placeBeside } from '../ui/place.js'
import { datesAgo } from './dates.js'
import type { AskingAt } from './day-mark.js'

/** Goes to the first message that is not earlier. */
type GoToDate = (at: Date) => Promise<void>

/** Asks for the day to go to. It is no part of the mark that was pressed: rows leave the page while older ones are read. */
export function DateJump({ asking, onGo }: { asking: AskingAt; onGo: GoToDate }) {
  const box = useRef<HTMLDivElement>(null)
  const pressed = asking.value
  const isShown = () => box.current?.matches(':popover-open') ?? false
  // Where it fits is known once the fields are there.
  useLayoutEffect(() => {
    if (!pressed || !box.current) return
    if (!isShown()) box.current.showPopover()
    placeBeside(pressed.button, box.current, { align: 'center' })
    box.current.querySelector('input')?.focus()
  }, [pressed])
  const go = async (date: Date) => {
    box.current?.hidePopover()
    await attempt(() => onGo(date))
  }
  return (
    <div
      ref={box}
      class="popover date-jump"
      popover="auto"
      role="dialog"
      aria-label={words().messages.goToDate}
      onToggle={() => {
        // The browser tells later: it may be open again.
        if (isShown()) return
        asking.value = null
        rescueFocus()
      }}
    >
      {pressed && <Dates day={dayOf(pressed.at)} onGo={go} />}
    </div>
  )
}

function Dates({ day, onGo }: { day: string; onGo: GoToDate }) {
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
