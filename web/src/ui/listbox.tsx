import type { ComponentChildren } from 'preact'
import type { Options } from './options.js'
import './listbox.css'

interface ListboxProps<T> {
  label: string
  items: readonly T[]
  options: Options
  keyOf(item: T): string | number
  draw(item: T): ComponentChildren
  onChoose(index: number): void
}

/** Suggestions below a text field, which keeps the focus. */
export function Listbox<T>({ label, items, options, keyOf, draw, onChoose }: ListboxProps<T>) {
  return (
    <div class="listbox scroll" role="listbox" id={options.listId} aria-label={label}>
      {items.map((item, index) => (
        // biome-ignore lint/a11y/useKeyWithClickEvents: the text field has the focus and takes the keys.
        // biome-ignore lint/a11y/useFocusableInteractive: it is named by aria-activedescendant.
        <div
          key={keyOf(item)}
          id={options.optionId(index)}
          class="option"
          role="option"
          aria-selected={index === options.active}
          onPointerMove={() => options.setActive(index)}
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => onChoose(index)}
        >
          {draw(item)}
        </div>
      ))}
    </div>
  )
}
