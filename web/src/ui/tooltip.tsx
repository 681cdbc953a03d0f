import { useEffect, useRef } from 'preact/hooks'
import { placeBeside } from './place.js'
import './tooltip.css'

const AFTER_MS = 450

const TIPS = '[data-tip], [data-cut]'

/** What the tip of an element says: `data-tip`, or the whole of a text with `data-cut` that does not fit. */
function tipOf(target: Element): string | null {
  const text = target.getAttribute('data-tip')
  return text ?? (target.scrollWidth > target.clientWidth ? (target.textContent ?? '').trim() : null)
}

/** What the pointer rests on; the keyboard reaches a whole link, and the text is within it. */
function targetOf({ type, target }: Event): Element | null {
  if (!(target instanceof Element)) return null
  return target.closest(TIPS) ?? (type === 'focusin' ? target.querySelector('[data-cut]') : null)
}

/** One tip for the page, beside what the pointer rests on or the keyboard reached. */
export function TooltipHost() {
  const tip = useRef<HTMLDivElement>(null)
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    let on: Element | null = null
    const place = () => {
      if (on && tip.current) placeBeside(on, tip.current, { side: 'above', align: 'center' })
    }
    // What a dialog is waiting for makes it larger, and moves its buttons.
    const growing = new ResizeObserver(place)
    const hide = () => {
      clearTimeout(timer)
      growing.disconnect()
      on = null
      tip.current?.hidePopover()
    }
    const show = (target: Element) => {
      const box = tip.current
      const text = tipOf(target)
      // What is open beside the button says what it is for.
      if (!box || !text || !target.isConnected || target.ariaExpanded === 'true') return
      box.textContent = text
      box.showPopover()
      place()
      const dialog = target.closest('dialog')
      if (dialog) growing.observe(dialog)
    }
    const begin = (event: Event) => {
      const target = targetOf(event)
      if (target === on) return
      hide()
      on = target
      if (!target || (event.type === 'focusin' && !target.closest(':focus-visible'))) return
      timer = setTimeout(() => show(target), event.type === 'focusin' ? 0 : AFTER_MS)
    }
    const events = [
      ['pointerover', begin],
      ['focusin', begin],
      ['focusout', hide],
      ['pointerdown', hide],
      ['keydown', hide],
      ['scroll', hide],
    ] as const
    for (const [name, listener] of events)
      document.addEventListener(name, listener, { capture: true, passive: true })
    return () => {
      for (const [name, listener] of events) document.removeEventListener(name, listener, { capture: true })
    }
  }, [])
  // What it says is the accessible name of the button, so that screen readers do not hear it twice.
  return <div ref={tip} class="tooltip" popover="manual" aria-hidden="true" />
}
