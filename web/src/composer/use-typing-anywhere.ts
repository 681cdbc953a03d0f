import type { RefObject } from 'preact'
import { useEffect } from 'preact/hooks'
import { isComposing, isMac } from '../platform/keys.js'

/** A letter, or the command to paste: both are for a field. A space scrolls. */
function isForField(event: KeyboardEvent): boolean {
  const { key, altKey, ctrlKey, metaKey } = event
  if (event.defaultPrevented || isComposing(event) || altKey) return false
  if (isMac() ? metaKey : ctrlKey) return key.toLowerCase() === 'v'
  return [...key].length === 1 && key !== ' ' && !ctrlKey && !metaKey
}

/** Whether nothing that takes keys of its own has the focus, and this field is the nearest. */
function isNearest(field: HTMLElement, target: EventTarget | null): boolean {
  if (document.querySelector('dialog[open], :popover-open')) return false
  const pane = field.closest('main, aside')
  if (target === document.body) return pane?.matches('main') ?? false
  return (
    target instanceof HTMLElement && target.matches('[role=log], [data-message]') && !!pane?.contains(target)
  )
}

/** What is typed or pasted while no field has the focus goes to this one, such as after a click on a message. */
export function useTypingAnywhere(field: RefObject<HTMLTextAreaElement | null>) {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      // The browser puts the letter where the focus is by then.
      if (field.current && isForField(event) && isNearest(field.current, event.target)) field.current.focus()
    }
    addEventListener('keydown', onKey)
    return () => removeEventListener('keydown', onKey)
  }, [])
}
