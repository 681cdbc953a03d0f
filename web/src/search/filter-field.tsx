import type { ComponentChildren } from 'preact'
import { useLayoutEffect, useRef } from 'preact/hooks'
import { words } from '../platform/i18n.js'
import { ToolButton } from '../ui/button.js'
import { Combobox } from '../ui/combobox.js'
import { Field } from '../ui/field.js'

interface FilterFieldProps {
  label: string
  /** The name of what was chosen. */
  chosen: string | null
  onClear(): void
  children(wired: { id: string; label: string }): ComponentChildren
}

/** Finds something to choose, and shows what was chosen until it is taken away. */
export function FilterField({ label, chosen, onClear, children }: FilterFieldProps) {
  const box = useRef<HTMLDivElement>(null)
  const isOpen = chosen === null
  const wasOpen = useRef(isOpen)
  const focused = box.current?.querySelector(':focus-visible')
  // What has the focus is replaced: the other of the two gets it. A click with the mouse is not followed: a list would open.
  useLayoutEffect(() => {
    if (wasOpen.current !== isOpen && focused)
      box.current?.querySelector<HTMLElement>('input, button')?.focus()
    wasOpen.current = isOpen
  }, [isOpen])
  return (
    <div ref={box}>
      {isOpen ? (
        <Field label={label}>{({ id }) => children({ id, label })}</Field>
      ) : (
        <div class="field">
          <span class="field-label">{label}</span>
          <span class="search-chosen">
            <span>{chosen}</span>
            <ToolButton icon="close" size="sm" label={words().search.clear(label)} onClick={onClear} />
          </span>
        </div>
      )}
    </div>
  )
}

interface ChooseProps<T> {
  id: string
  label: string
  placeholder: string
  items: readonly T[]
  draw(item: T): ComponentChildren
  onSearch(text: string): void
  onChoose(item: T): void
}

export function Choose<T extends { id: number }>(props: ChooseProps<T>) {
  return <Combobox {...props} empty={words().common.nothingFound} keyOf={({ id }) => id} />
}
