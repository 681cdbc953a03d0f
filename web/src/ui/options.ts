import { useEffect, useId, useState } from 'preact/hooks'

export interface Options {
  active: number
  setActive(index: number): void
  /** True when the key was used. */
  onKeyDown(event: KeyboardEvent): boolean
  optionId(index: number): string
  listId: string
}

/** Which option of a list is active, moved by the keyboard while the focus stays in a text field. */
export function useOptions(count: number, choose: (index: number) => void): Options {
  const listId = useId()
  const [active, setActive] = useState(0)
  useEffect(() => setActive(0), [count])
  const optionId = (index: number) => `${listId}-${index}`

  function move(to: number) {
    const next = (to + count) % count
    setActive(next)
    document.getElementById(optionId(next))?.scrollIntoView({ block: 'nearest' })
  }

  function onKeyDown(event: KeyboardEvent): boolean {
    if (count === 0) return false
    if (event.key === 'ArrowDown') move(active + 1)
    else if (event.key === 'ArrowUp') move(active - 1)
    else if (event.key === 'PageDown') move(Math.min(count - 1, active + 8))
    else if (event.key === 'PageUp') move(Math.max(0, active - 8))
    else if (event.key === 'Enter' || event.key === 'Tab') choose(active)
    else return false
    event.preventDefault()
    return true
  }

  return { active: Math.min(active, Math.max(0, count - 1)), setActive, onKeyDown, optionId, listId }
}
