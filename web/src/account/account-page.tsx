import type { ComponentChildren } from 'preact'
import { Mark } from '../chats/mark.js'
import './account-page.css'
import { Form } from '../ui/form.js'

interface AccountPageProps {
  title: string
  text?: string | undefined
  /** Why the last attempt failed. */
  refusal?: string
  onSubmit?(): void
  children?: ComponentChildren
}

/** A page for people who are not signed in: a form in the middle of the screen. */
export function AccountPage({ title, text, refusal = '', onSubmit, children }: AccountPageProps) {
  const content = (
    <>
      <Mark />
      <h1 class="account-page-title">{title}</h1>
      {text && <p class="account-page-text">{text}</p>}
      {refusal && (
        <p class="account-page-refusal" role="alert">
          {refusal}
        </p>
      )}
      {children}
    </>
  )
  return (
    <main class="account-page">
      {onSubmit ? (
        <Form class="account-page-box" onSubmit={onSubmit}>
          {content}
        </Form>
      ) : (
        <div class="account-page-box">{content}</div>
      )}
    </main>
  )
}
