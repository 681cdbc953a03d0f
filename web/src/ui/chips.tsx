import { Icon } from './icon.js'
import './chips.css'

interface ChipsProps {
  items: readonly { id: number; name: string /** Says what the cross does. */; label: string }[]
  onRemove(id: number): void
}

/** What was chosen, each with a cross that takes it out again. */
export function Chips({ items, onRemove }: ChipsProps) {
  if (items.length === 0) return null
  return (
    <ul class="chips">
      {items.map(({ id, name, label }) => (
        <li key={id} class="chip">
          <span class="chip-name">{name}</span>
          <button type="button" aria-label={label} onClick={() => onRemove(id)}>
            <Icon name="close" size="sm" />
          </button>
        </li>
      ))}
    </ul>
  )
}
