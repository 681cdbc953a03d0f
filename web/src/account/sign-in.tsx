import { useState } from 'preact/hooks'
import { Mark } from '../chats/mark.js'
import { ApiFailure, call } from '../platform/api.js'
import { words } from '../platform/i18n.js'
import { start } from '../sync.js'
import { Button } from '../ui/button.js'
import { TextField } from '../ui/field.js'
import './sign-in.css'

export function SignIn() {
  const { account } = words()
  const [email, setEmail] = useState('')
  const [password, setPassword] = useState('')
  const [refusal, setRefusal] = useState('')
  const [faults, setFaults] = useState<{ email?: string; password?: string }>({})
  const [busy, setBusy] = useState(false)

  async function submit() {
    const empty = {
      ...(email.trim() === '' ? { email: account.emptyEmail } : {}),
      ...(password === '' ? { password: account.emptyPassword } : {}),
    }
    setFaults(empty)
    setRefusal('')
    if (Object.keys(empty).length > 0) return
    setBusy(true)
    try {
      await call('signIn', { body: { email: email.trim(), password, cookie: true } })
      await start()
    } catch (error) {
      setRefusal(refusalOf(error))
    } finally {
      setBusy(false)
    }
  }

  return (
    <main class="door">
      <form
        class="door-box"
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          void submit()
        }}
      >
        <Mark />
        <h1 class="door-title">{account.signInTo}</h1>
        {refusal && (
          <p class="door-refusal" role="alert">
            {refusal}
          </p>
        )}
        <TextField
          label={account.email}
          type="email"
          name="email"
          autocomplete="username"
          autofocus
          value={email}
          error={faults.email}
          onText={setEmail}
        />
        <TextField
          label={account.password}
          type="password"
          name="password"
          autocomplete="current-password"
          value={password}
          error={faults.password}
          onText={setPassword}
        />
        <Button look="main" type="submit" busy={busy}>
          {account.signIn}
        </Button>
        <a class="door-link" href="/forgot">
          {account.forgot}
        </a>
      </form>
    </main>
  )
}

function refusalOf(error: unknown): string {
  const { account, common } = words()
  if (!(error instanceof ApiFailure)) return account.noConnection
  if (error.status === 401) return account.wrong
  if (error.status === 403) return account.suspended
  return error.status === 429 ? account.tooMany : common.failed
}
