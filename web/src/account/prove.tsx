import type { PublicKeyCredentialRequestOptionsJSON } from '@simplewebauthn/browser'
import { browserSupportsWebAuthn, startAuthentication } from '@simplewebauthn/browser'
import { useEffect, useState } from 'preact/hooks'
import { ApiFailure, call } from '../platform/api.js'
import { Button } from '../ui/button.js'
import { TextField } from '../ui/field.js'
import { accessWords } from '../words/access.js'
import { AccountPage } from './account-page.js'
import { enter } from './enter.js'
import { refusalOf } from './refusals.js'

interface ProveProps {
  email: string
  password: string
  onBack(): void
}

type Options = PublicKeyCredentialRequestOptionsJSON

/** The second step of signing in: a code, or a passkey. */
export function Prove({ email, password, onBack }: ProveProps) {
  const access = accessWords()
  const [code, setCode] = useState('')
  const [refusal, setRefusal] = useState('')
  const [busy, setBusy] = useState(false)
  const [options, setOptions] = useState<Options | null>(null)

  const ask = () =>
    call('beginSecondFactor', { body: { email, password } }).then(
      ({ data }) => setOptions(data.passkey as unknown as Options | null),
      (error) => setRefusal(refusalOf(error)),
    )
  useEffect(() => void ask(), [])

  async function prove(proof: { code: string } | { passkey: Record<string, unknown> }) {
    setRefusal('')
    setBusy(true)
    try {
      const { data } = await call('signIn', { body: { email, password, cookie: true, ...proof } })
      await enter(data.user.id)
    } catch (error) {
      const wrong = error instanceof ApiFailure && error.code === 'invalid_second_factor'
      setRefusal(wrong ? access.wrongProof : refusalOf(error))
      setCode('')
      // What was to be signed is used up.
      if ('passkey' in proof) void ask()
    } finally {
      setBusy(false)
    }
  }
  async function usePasskey() {
    if (!options) return
    const passkey = await startAuthentication({ optionsJSON: options }).catch(() => null)
    if (passkey) await prove({ passkey: passkey as unknown as Record<string, unknown> })
    else setRefusal(access.noPasskey)
  }

  return (
    <AccountPage
      title={access.proveTitle}
      text={access.proveText}
      refusal={refusal}
      onSubmit={() => code.trim() !== '' && void prove({ code: code.trim() })}
    >
      <TextField
        label={access.code}
        hint={access.codeHint}
        name="code"
        autocomplete="one-time-code"
        autofocus
        maxLength={40}
        value={code}
        onText={setCode}
      />
      <Button look="main" type="submit" busy={busy}>
        {access.prove}
      </Button>
      {options && browserSupportsWebAuthn() && (
        <Button icon="key" disabled={busy} onClick={() => void usePasskey()}>
          {access.usePasskey}
        </Button>
      )}
      <button type="button" class="account-page-link" onClick={onBack}>
        {access.back}
      </button>
    </AccountPage>
  )
}
