import type { ComponentChildren } from 'preact'
import { Chips } from './chips.js'
import { Combobox } from './combobox.js'
import './field.css'

const MOST_SHOWN = 8

interface PickProps<T> {
  label: string
  placeholder: string
  empty: string
  chosen: readonly T[]
  /** What the text found; what is chosen already is not offered again. */
  items: readonly T[]
  /** Says what the cross of a chosen one does. */
  removeLabel(name: string): string
  draw(item: T): ComponentChildren
  onSearch(text: string): void
  onChange(chosen: readonly T[]): void
}

/** A field for several things, found one after another by their names. */
export function Pick<T extends { id: number; name: string }>(props: PickProps<T>) {
  const { label, chosen, onChange } = props
  const taken = new Set(chosen.map(({ id }) => id))
  return (
    <div class="field">
      <span class="field-label">{label}</span>
      <Chips
        items={chosen.map(({ id, name }) => ({ id, name, label: props.removeLabel(name) }))}
        onRemove={(id) => onChange(chosen.filter((one) => one.id !== id))}
      />
      <Combobox
        label={label}
        placeholder={props.placeholder}
        items={props.items.filter(({ id }) => !taken.has(id)).slice(0, MOST_SHOWN)}
        empty={props.empty}
        keyOf={({ id }) => id}
        draw={props.draw}
        onSearch={props.onSearch}
        onChoose={(item) => onChange([...chosen, item])}
      />
    </div>
  )
}
