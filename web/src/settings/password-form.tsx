import { useState } from 'preact/hooks'
import { passwordFault, refusalOf } from '../account/refusals.js'
import { ApiFailure, call } from '../platform/api.js'
import { words } from '../platform/i18n.js'
import { Button } from '../ui/button.js'
import { TextField } from '../ui/field.js'
import { Form } from '../ui/form.js'
import { toast } from '../ui/toast.js'
import { Section } from './section.js'

export function PasswordForm() {
  const { account, settings } = words()
  const [current_password, setCurrent] = useState('')
  const [password, setPassword] = useState('')
  const [faults, setFaults] = useState<{ current?: string | undefined; password?: string | undefined }>({})
  const [busy, setBusy] = useState(false)

  async function submit() {
    const current = current_password === '' ? account.emptyPassword : undefined
    const short = passwordFault(password)
    setFaults({ current, password: short })
    if (current || short) return
    setBusy(true)
    try {
      await call('changeOwnPassword', { body: { current_password, password } })
      setCurrent('')
      setPassword('')
      toast(settings.passwordChanged)
    } catch (error) {
      const wrong = error instanceof ApiFailure && error.faultAt('current_password') !== undefined
      setFaults({ current: wrong ? settings.wrongPassword : refusalOf(error) })
    } finally {
      setBusy(false)
    }
  }

  return (
    <Section title={settings.passwordTitle} text={settings.passwordText}>
      <Form class="settings-section" onSubmit={submit}>
        <div class="settings-pair">
          <TextField
            label={settings.currentPassword}
            type="password"
            autocomplete="current-password"
            maxLength={200}
            value={current_password}
            error={faults.current}
            onText={setCurrent}
          />
          <TextField
            label={account.newPassword}
            hint={account.passwordHint}
            type="password"
            autocomplete="new-password"
            maxLength={200}
            value={password}
            error={faults.password}
            onText={setPassword}
          />
        </div>
        <div class="settings-end">
          <Button type="submit" busy={busy}>
            {settings.changePassword}
          </Button>
        </div>
      </Form>
    </Section>
  )
}
