import { type PublicKeyCredentialCreationOptionsJSON, startRegistration } from '@simplewebauthn/browser'
import { useState } from 'preact/hooks'
import { call } from '../platform/api.js'
import { TextField } from '../ui/field.js'
import { toast } from '../ui/toast.js'
import { accessWords } from '../words/access.js'
import { PasswordDialog } from './password-dialog.js'

interface PasskeyDialogProps {
  onDone(recovery_codes: readonly string[]): Promise<void>
  onClose(): void
}

/** Has the browser make a passkey, and keeps it. */
export function PasskeyDialog({ onDone, onClose }: PasskeyDialogProps) {
  const access = accessWords()
  const [name, setName] = useState('')
  async function add(proof: { password?: string }) {
    const { data: options } = await call('startPasskey', { body: proof })
    const optionsJSON = options as unknown as PublicKeyCredentialCreationOptionsJSON
    const answer = await startRegistration({ optionsJSON }).catch(() => null)
    if (!answer) {
      toast(access.passkeyFailed, { look: 'bad' })
      return onClose()
    }
    const body = {
      name: name.trim() || access.passkeys,
      answer: answer as unknown as Record<string, unknown>,
    }
    const { data } = await call('addPasskey', { body })
    await onDone(data.recovery_codes)
  }
  return (
    <PasswordDialog
      title={access.addPasskey}
      text={access.askPassword}
      action={access.prove}
      onPassword={add}
      onClose={onClose}
    >
      <TextField
        label={access.passkeyName}
        hint={access.passkeyNameHint}
        maxLength={100}
        value={name}
        onText={setName}
      />
    </PasswordDialog>
  )
}
