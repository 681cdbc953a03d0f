import type { ComponentChildren } from 'preact'
import { moveFocus } from './roving.js'
import './toolbar.css'

/** Buttons in a row; left and right arrows move among them. */
export function Toolbar({
  label,
  class: more = '',
  children,
}: {
  label: string
  class?: string
  children: ComponentChildren
}) {
  return (
    <div
      class={`toolbar ${more}`}
      role="toolbar"
      aria-label={label}
      onKeyDown={(event) => {
        if (event.key === 'ArrowLeft' || event.key === 'ArrowRight')
          moveFocus(event.currentTarget, event, 'horizontal')
      }}
    >
      {children}
    </div>
  )
}
