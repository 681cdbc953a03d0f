/**
 * The list of messages is one stop of the Tab key. Up and down walk from message to message, Enter goes to what can be
 * done with one, Escape back to it, and from there to the field.
 */
export function onTimelineKey(event: KeyboardEvent) {
  const log = event.currentTarget as HTMLElement
  const focused = document.activeElement as HTMLElement
  const message = focused.closest<HTMLElement>('[data-message]')
  if (event.defaultPrevented) return
  const next = targetOf(event.key, { log, focused, message })
  if (!next) return
  event.preventDefault()
  next.focus()
}

interface Place {
  log: HTMLElement
  focused: HTMLElement
  message: HTMLElement | null
}

function targetOf(key: string, { log, focused, message }: Place): HTMLElement | null | undefined {
  const onList = focused === log
  const onMessage = message !== null && focused === message
  // What lies open over the list closes first.
  if (focused.closest('[popover]')) return null
  if (key === 'Escape') return message && !onMessage ? message : fieldOf(log)
  if (key === 'Enter' && onMessage)
    return message.querySelector<HTMLElement>('[role=toolbar] button:not(:disabled)')
  if ((key !== 'ArrowUp' && key !== 'ArrowDown') || !(onList || onMessage)) return null
  const all = [...log.querySelectorAll<HTMLElement>('[data-message]')]
  return onList ? all.at(-1) : all[all.indexOf(focused) + (key === 'ArrowUp' ? -1 : 1)]
}

function fieldOf(log: HTMLElement) {
  return log.closest('main, aside')?.querySelector<HTMLElement>('form.composer textarea')
}
