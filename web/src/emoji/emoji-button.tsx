import { useEffect, useRef, useState } from 'preact/hooks'
import { lazy } from 'preact-iso'
import { Icon } from '../ui/icon.js'
import { placeBeside } from '../ui/place.js'
import './emoji.css'

const EmojiPanel = lazy(() => import('./emoji-panel.js').then(({ EmojiPanel }) => EmojiPanel))

/** A button that opens all emoji; they load with the first opening. */
export function EmojiButton({
  label,
  class: look,
  onChoose,
}: {
  label: string
  class: string
  onChoose(emoji: string): void
}) {
  const [open, setOpen] = useState(false)
  const button = useRef<HTMLButtonElement>(null)
  const panel = useRef<HTMLDivElement>(null)
  const place = () => {
    if (!button.current || !panel.current) return
    // Towards the middle of the screen.
    const align = button.current.getBoundingClientRect().left < innerWidth / 2 ? 'start' : 'end'
    placeBeside(button.current, panel.current, { side: 'above', align })
  }
  // Its size is known once the emoji are here.
  useEffect(() => {
    if (!open || !panel.current) return
    const observer = new ResizeObserver(place)
    observer.observe(panel.current)
    addEventListener('resize', place)
    return () => {
      observer.disconnect()
      removeEventListener('resize', place)
    }
  }, [open])
  return (
    <>
      <button
        ref={button}
        type="button"
        class={look}
        aria-label={label}
        data-tip={label}
        aria-haspopup="dialog"
        aria-expanded={open}
        onClick={() => {
          panel.current?.togglePopover()
          place()
        }}
      >
        <Icon name="smile" />
      </button>
      <div
        ref={panel}
        class="popover emoji-popover"
        popover="auto"
        role="dialog"
        aria-label={label}
        onToggle={(event) => setOpen(event.newState === 'open')}
      >
        {open && (
          <EmojiPanel
            onChoose={(emoji) => {
              panel.current?.hidePopover()
              button.current?.focus()
              onChoose(emoji)
            }}
          />
        )}
      </div>
    </>
  )
}
