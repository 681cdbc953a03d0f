import type { ComponentChildren } from 'preact'
import { useId, useState } from 'preact/hooks'
import { ApiFailure } from '../platform/api.js'
import { words } from '../platform/i18n.js'
import { refusalText } from '../platform/refusal.js'
import { Button } from '../ui/button.js'
import { Dialog } from '../ui/dialog.js'
import { TextField } from '../ui/field.js'
import { Form } from '../ui/form.js'

interface PasswordDialogProps {
  title: string
  text: string
  action: string
  danger?: boolean
  /** What is filled in besides. */
  children?: ComponentChildren
  /** Rejects where the server refuses. */
  onPassword(password: string): Promise<void>
  onClose(): void
}

/** Asks for the own password again before how one signs in is changed. */
export function PasswordDialog({
  title,
  text,
  action,
  danger = false,
  children,
  ...on
}: PasswordDialogProps) {
  const { account, common, settings } = words()
  const [password, setPassword] = useState('')
  const [fault, setFault] = useState<string>()
  const [busy, setBusy] = useState(false)
  const form = useId()

  async function submit() {
    setFault(password === '' ? account.emptyPassword : undefined)
    if (password === '') return
    setBusy(true)
    await on.onPassword(password).catch((error) => {
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
        <TextField
          label={settings.currentPassword}
          type="password"
          autocomplete="current-password"
          autofocus
          value={password}
          error={fault}
          onText={setPassword}
        />
      </Form>
    </Dialog>
  )
}
