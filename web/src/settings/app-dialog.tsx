import { useId, useState } from 'preact/hooks'
import { encode } from 'uqr'
import { ApiFailure, call } from '../platform/api.js'
import { words } from '../platform/i18n.js'
import { refusalText } from '../platform/refusal.js'
import { Button } from '../ui/button.js'
import { Dialog } from '../ui/dialog.js'
import { TextField } from '../ui/field.js'
import { Secret } from '../ui/secret.js'
import { accessWords } from '../words/access.js'
import { PasswordDialog } from './password-dialog.js'
import './app-dialog.css'
import { Form } from '../ui/form.js'

interface AppDialogProps {
  onDone(recovery_codes: readonly string[]): Promise<void>
  onClose(): void
}

/** Sets up an authenticator app: the password, the key, and the first code. */
export function AppDialog({ onDone, onClose }: AppDialogProps) {
  const access = accessWords()
  const [made, setMade] = useState<{ secret: string; uri: string } | null>(null)
  if (made) return <FirstCode {...made} onDone={onDone} onClose={onClose} />
  return (
    <PasswordDialog
      title={access.appTitle}
      text={access.askPassword}
      action={access.prove}
      onPassword={async (proof) => setMade((await call('startTotp', { body: proof })).data)}
      onClose={onClose}
    />
  )
}

function FirstCode({ secret, uri, onDone, onClose }: AppDialogProps & { secret: string; uri: string }) {
  const access = accessWords()
  const { common } = words()
  const [code, setCode] = useState('')
  const [fault, setFault] = useState<string>()
  const [busy, setBusy] = useState(false)
  const form = useId()

  async function confirm() {
    setFault(undefined)
    setBusy(true)
    try {
      const { data } = await call('confirmTotp', { body: { code } })
      await onDone(data.recovery_codes)
    } catch (error) {
      const wrong = error instanceof ApiFailure && error.status === 422
      setFault(wrong ? access.wrongCode : refusalText(error))
      setBusy(false)
    }
  }
  return (
    <Dialog
      title={access.appTitle}
      closeLabel={common.close}
      size="small"
      onClose={onClose}
      footer={
        <Button look="main" busy={busy} disabled={code.trim() === ''} type="submit" form={form}>
          {access.turnOn}
        </Button>
      }
    >
      <Form id={form} class="stack" onSubmit={confirm}>
        <p>{access.scan}</p>
        <QrCode text={uri} label={access.qr} />
        <Secret label={access.key} value={secret} copyLabel={common.copy} copiedText={common.copied} />
        <TextField
          label={access.firstCode}
          autocomplete="one-time-code"
          autofocus
          maxLength={10}
          value={code}
          error={fault}
          onText={setCode}
        />
      </Form>
    </Dialog>
  )
}

/** Dark on light in every theme: that is what cameras read. */
function QrCode({ text, label }: { text: string; label: string }) {
  const { data, size } = encode(text, { border: 2 })
  const path = data.flatMap((row, y) => row.map((dark, x) => (dark ? `M${x} ${y}h1v1h-1z` : ''))).join('')
  return (
    <svg class="qr" viewBox={`0 0 ${size} ${size}`} role="img" aria-label={label}>
      <path d={path} />
    </svg>
  )
}
