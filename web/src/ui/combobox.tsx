import type { ComponentChildren } from 'preact'
import { useRef, useState } from 'preact/hooks'
import { Listbox } from './listbox.js'
import { useOptions } from './options.js'
import { useAutofocus } from './use-autofocus.js'
import './combobox.css'

interface ComboboxProps<T> {
  id?: string
  label: string
  placeholder?: string
  autofocus?: boolean
  /** What the text found. */
  items: readonly T[]
  empty: string
  keyOf(item: T): string | number
  draw(item: T): ComponentChildren
  onSearch(text: string): void
  onChoose(item: T): void
}

/** A text field that finds things to choose from. */
export function Combobox<T>(props: ComboboxProps<T>) {
  const { items, label } = props
  const [text, setText] = useState('')
  const [open, setOpen] = useState(false)
  const choose = (index: number) => {
    const item = items[index]
    if (item === undefined) return
    setText('')
    setOpen(false)
    props.onSearch('')
    props.onChoose(item)
  }
  const options = useOptions(open ? items.length : 0, choose)
  const input = useRef<HTMLInputElement>(null)
  useAutofocus(input, props.autofocus ?? false)

  return (
    <div class="combobox">
      <input
        ref={input}
        id={props.id}
        class="input"
        role="combobox"
        aria-label={props.id ? undefined : label}
        aria-expanded={open}
        aria-controls={options.listId}
        aria-autocomplete="list"
        aria-activedescendant={open && items.length > 0 ? options.optionId(options.active) : undefined}
        autocomplete="off"
        placeholder={props.placeholder}
        value={text}
        onFocus={() => setOpen(true)}
        onBlur={() => setOpen(false)}
        onInput={({ currentTarget }) => {
          setText(currentTarget.value)
          setOpen(true)
          props.onSearch(currentTarget.value)
        }}
        onKeyDown={(event) => {
          if (event.isComposing || (event.key === 'Tab' && text === '')) return
          if (event.key === 'Escape' && open) {
            event.preventDefault()
            event.stopPropagation()
            setOpen(false)
          } else if (!open && event.key === 'ArrowDown') setOpen(true)
          else options.onKeyDown(event)
        }}
      />
      {open && (
        <div class="combobox-list">
          {items.length > 0 ? (
            <Listbox {...props} options={options} onChoose={choose} />
          ) : (
            <p class="combobox-empty">{props.empty}</p>
          )}
        </div>
      )}
    </div>
  )
}
