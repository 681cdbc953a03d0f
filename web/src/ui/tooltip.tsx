import { useEffect, useRef } from 'preact/hooks'
import { placeBeside } from './place.js'
import './tooltip.css'

const AFTER_MS = 450

/** One tip for the page: shows `data-tip` of what the pointer rests on or the keyboard reached. */
export function TooltipHost() {
  const tip = useRef<HTMLDivElement>(null)
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    let on: Element | null = null
    const hide = () => {
      clearTimeout(timer)
      on = null
      tip.current?.hidePopover()
    }
    const show = (target: Element) => {
      const box = tip.current
      const text = target.getAttribute('data-tip')
      // What is open beside the button says what it is for.
      if (!box || !text || !target.isConnected || target.ariaExpanded === 'true') return
      box.textContent = text
      box.showPopover()
      placeBeside(target, box, { side: 'above', align: 'center' })
    }
    const begin = (event: Event) => {
      const target = event.target instanceof Element ? event.target.closest('[data-tip]') : null
      if (target === on) return
      hide()
      on = target
      if (!target || (event.type === 'focusin' && !target.matches(':focus-visible'))) return
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
