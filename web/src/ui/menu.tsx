import type { ComponentChildren, Ref } from 'preact'
import { useId, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { Icon, type IconName } from './icon.js'
import { type Placing, placeBeside } from './place.js'
import { moveFocus } from './roving.js'
import './menu.css'

export interface MenuItem {
  label: string
  icon?: IconName
  /** Shown on the right: a key or a state. */
  hint?: string
  danger?: boolean
  /** Why it cannot be chosen now. */
  refusal?: string | undefined
  checked?: boolean
  onSelect(): void
}

export interface MenuTrigger {
  buttonRef: Ref<HTMLButtonElement>
  'aria-haspopup': 'menu'
  'aria-expanded': boolean
  onClick(): void
  onKeyDown(event: KeyboardEvent): void
}

interface MenuProps extends Placing {
  label: string
  /** Groups are parted by a line. */
  groups: readonly (readonly MenuItem[])[]
  trigger(props: MenuTrigger): ComponentChildren
}

/** A button with a menu. Arrows move, letters jump, Escape goes back to the button. */
export function Menu({ label, groups, trigger, side, align }: MenuProps) {
  const [open, setOpen] = useState(false)
  const [times, setTimes] = useState(0)
  const id = useId()
  const button = useRef<HTMLButtonElement>(null)
  const list = useRef<HTMLDivElement>(null)
  const begin = useRef<'first' | 'last'>('first')

  // Where it fits is known once its items are there.
  useLayoutEffect(() => {
    if (!open || !list.current || !button.current) return
    placeBeside(button.current, list.current, { ...(side ? { side } : {}), ...(align ? { align } : {}) })
    moveFocus(list.current, begin.current)
  }, [times])

  function show(focus: 'first' | 'last') {
    begin.current = focus
    list.current?.showPopover()
    setOpen(true)
    setTimes(times + 1)
  }

  function hide() {
    list.current?.hidePopover()
    button.current?.focus()
  }

  /** The browser tells later that it closed: a key that follows at once finds the state of before. */
  const isShown = () => list.current?.matches(':popover-open') ?? false

  return (
    <>
      {trigger({
        buttonRef: button,
        'aria-haspopup': 'menu',
        'aria-expanded': open,
        onClick: () => (isShown() ? hide() : show('first')),
        onKeyDown(event) {
          if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return
          event.preventDefault()
          show(event.key === 'ArrowDown' ? 'first' : 'last')
        },
      })}
      <div
        ref={list}
        id={id}
        class="menu"
        popover="auto"
        role="menu"
        aria-label={label}
        tabIndex={-1}
        onToggle={(event) => setOpen(event.newState === 'open')}
        onKeyDown={(event) => {
          if (event.key === 'Tab') list.current?.hidePopover()
          else if (event.key === 'Escape') hide()
          else moveFocus(event.currentTarget, event)
        }}
      >
        {open && groups.map((items, index) => <MenuGroup key={index} items={items} onDone={hide} />)}
      </div>
    </>
  )
}

function MenuGroup({ items, onDone }: { items: readonly MenuItem[]; onDone(): void }) {
  return (
    <div class="menu-group">
      {items.map((item, index) => (
        <button
          // By place: the label of an item may change while the focus is on it.
          key={index}
          type="button"
          class={`menu-item ${item.danger ? 'menu-danger' : ''}`}
          {...roleOf(item)}
          aria-disabled={item.refusal !== undefined}
          data-tip={item.refusal}
          tabIndex={-1}
          onClick={() => {
            if (item.refusal !== undefined) return
            onDone()
            item.onSelect()
          }}
        >
          {item.icon && <Icon name={item.icon} />}
          <span class="menu-label">{item.label}</span>
          {item.checked && <Icon name="check" size="sm" />}
          {item.hint && <span class="menu-hint">{item.hint}</span>}
        </button>
      ))}
    </div>
  )
}

function roleOf({ checked }: MenuItem) {
  if (checked === undefined) return { role: 'menuitem' } as const
  return { role: 'menuitemcheckbox', 'aria-checked': checked } as const
}
