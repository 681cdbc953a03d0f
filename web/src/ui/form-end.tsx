import type { ComponentChildren } from 'preact'
import './form-end.css'

/** The buttons that end a form. */
export function FormEnd({ children }: { children: ComponentChildren }) {
  return <div class="form-end">{children}</div>
}
