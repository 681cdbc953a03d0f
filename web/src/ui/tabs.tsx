import type { ComponentChildren } from 'preact'
import { useId } from 'preact/hooks'
import { moveFocus } from './roving.js'
import './tabs.css'

interface TabsProps<T extends string> {
  label: string
  value: T
  tabs: readonly { value: T; label: string }[]
  onChoose(value: T): void
  children: ComponentChildren
}

/** Panels of one place, of which one is shown. Arrows move among the tabs. */
export function Tabs<T extends string>({ label, value, tabs, onChoose, children }: TabsProps<T>) {
  const id = useId()
  return (
    <>
      <div
        class="tabs"
        role="tablist"
        aria-label={label}
        onKeyDown={(event) => moveFocus(event.currentTarget, event, 'horizontal')}
      >
        {tabs.map((tab) => (
          <button
            key={tab.value}
            type="button"
            class="tab"
            role="tab"
            id={`${id}-${tab.value}`}
            aria-selected={tab.value === value}
            aria-controls={`${id}-panel`}
            tabIndex={tab.value === value ? 0 : -1}
            onFocus={() => onChoose(tab.value)}
            onClick={() => onChoose(tab.value)}
          >
            {tab.label}
          </button>
        ))}
      </div>
      <div role="tabpanel" id={`${id}-panel`} aria-labelledby={`${id}-${value}`}>
        {children}
      </div>
    </>
  )
}
