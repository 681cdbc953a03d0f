import type { OwnSignIn } from '@parley/contract'
import type { ComponentChildren } from 'preact'
import { useId, useState } from 'preact/hooks'
import { attempt } from '../frame/attempt.js'
import { NotRead } from '../frame/waiting.js'
import { ApiFailure, call } from '../platform/api.js'
import { words } from '../platform/i18n.js'
import { refusalText } from '../platform/refusal.js'
import { Button } from '../ui/button.js'
import { Dialog } from '../ui/dialog.js'
import { TextField } from '../ui/field.js'
import { Form } from '../ui/form.js'
import { accessWords } from '../words/access.js'
import { backHere, leaveFor, useOwnSignIn } from './use-own-sign-in.js'

interface PasswordDialogProps {
  title: string
  text: string
  action: string
  danger?: boolean
  /** What is filled in besides. */
  children?: ComponentChildren
  /** Rejects where the server refuses. Without a password for people who have confirmed at their provider. */
  onPassword(proof: { password?: string }): Promise<void>
  onClose(): void
}

/** Asks for the own password again before how one signs in is changed; without one, for a new sign-in at the provider. */
export function PasswordDialog(props: PasswordDialogProps) {
  const { common } = words()
  const { own, waiting } = useOwnSignIn()
  if (own)
    return own.password || own.confirmed_until ? (
      <Ask {...props} own={own} />
    ) : (
      <Confirm {...props} own={own} />
    )
  return (
    <Dialog title={props.title} closeLabel={common.close} size="small" onClose={props.onClose}>
      <NotRead {...waiting} />
    </Dialog>
  )
}

interface KnownProps extends PasswordDialogProps {
  own: OwnSignIn
}

function Confirm({ title, onClose, own }: KnownProps) {
  const { common } = words()
  const access = accessWords()
  const confirm = (slug: string) =>
    void attempt(async () => {
      const { data } = await call('confirmByProvider', { body: { slug, to: backHere() } })
      leaveFor(data.url)
    })
  return (
    <Dialog title={title} closeLabel={common.close} size="small" onClose={onClose}>
      <div class="stack">
        <p>{access.confirmText}</p>
        {own.identities
          .filter(({ enabled }) => enabled)
          .map(({ slug, name }) => (
            <Button key={slug} look="main" onClick={() => confirm(slug)}>
              {access.confirmWith(name)}
            </Button>
          ))}
      </div>
    </Dialog>
  )
}

function Ask({ title, text, action, danger = false, children, own, ...on }: KnownProps) {
  const { account, common, settings } = words()
  const access = accessWords()
  const [password, setPassword] = useState('')
  const [fault, setFault] = useState<string>()
  const [busy, setBusy] = useState(false)
  const form = useId()
  const isConfirmed = own.confirmed_until !== null

  async function submit() {
    const isEmpty = !isConfirmed && password === ''
    setFault(isEmpty ? account.emptyPassword : undefined)
    if (isEmpty) return
    setBusy(true)
    await on.onPassword(isConfirmed ? {} : { password }).catch((error) => {
      const wrong = error instanceof ApiFailure && error.faults.some(({ key }) => key === 'password')
      setFault(wrong ? settings.wrongPassword : refusalText(error))
      setBusy(false)
    })
  }
  return (
    <Dialog
      title={title}
      closeLabel={common.close}
      size="small"
      onClose={on.onClose}
      footer={
        <>
          <Button onClick={on.onClose}>{common.cancel}</Button>
          <Button look={danger ? 'danger' : 'main'} busy={busy} type="submit" form={form}>
            {action}
          </Button>
        </>
      }
    >
      <Form id={form} class="stack" onSubmit={submit}>
        <p>{text}</p>
        {children}
        {isConfirmed ? (
          <p role={fault ? 'alert' : undefined}>{fault ?? access.confirmed}</p>
        ) : (
          <TextField
            label={settings.currentPassword}
            type="password"
            autocomplete="current-password"
            autofocus
            value={password}
            error={fault}
            onText={setPassword}
          />
        )}
      </Form>
    </Dialog>
  )
}
