import type { ComponentChildren } from 'preact'
import { Mark } from '../chats/mark.js'
import './sign-in.css'

interface DoorProps {
  title: string
  text?: string | undefined
  /** Why the last attempt failed. */
  refusal?: string
  onSubmit?(): void
  children?: ComponentChildren
}

/** A page for people who are not signed in: a form in the middle of the screen. */
export function Door({ title, text, refusal = '', onSubmit, children }: DoorProps) {
  const content = (
    <>
      <Mark />
      <h1 class="door-title">{title}</h1>
      {text && <p class="door-text">{text}</p>}
      {refusal && (
        <p class="door-refusal" role="alert">
          {refusal}
        </p>
      )}
      {children}
    </>
  )
  return (
    <main class="door">
      {onSubmit ? (
        <form
          class="door-box"
          noValidate
          onSubmit={(event) => {
            event.preventDefault()
            onSubmit()
          }}
        >
          {content}
        </form>
      ) : (
        <div class="door-box">{content}</div>
      )}
    </main>
  )
}
