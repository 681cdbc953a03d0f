import type { ComponentChildren } from 'preact'

interface FormProps {
  class?: string
  /** For a button that stands outside of it. */
  id?: string
  onSubmit(): unknown
  children: ComponentChildren
}

/** A form whose faults are told by us and not by the browser, and that leads to no other page. */
export function Form({ onSubmit, children, ...rest }: FormProps) {
  return (
    <form
      {...rest}
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        onSubmit()
      }}
    >
      {children}
    </form>
  )
}
