import { useState } from 'preact/hooks'
import { ApiFailure, call } from '../platform/api.js'
import { words } from '../platform/i18n.js'
import { navigate } from '../platform/navigate.js'
import { start } from '../sync.js'
import { Button } from '../ui/button.js'
import { TextField } from '../ui/field.js'
import { AccountPage } from './account-page.js'
import { Prove } from './prove.js'
import { needsProof, passwordFault, refusalOf } from './refusals.js'
import { useLink } from './use-link.js'

export function ResetLink({ token }: { token: string }) {
  const { account, common } = words()
  const link = useLink(token, async (token) => (await call('getPasswordReset', { params: { token } })).data)
  if (link.state === 'there') return <ResetForm token={token} email={link.value.email} />
  if (link.state === 'gone')
    return (
      <AccountPage title={account.resetGone} text={account.resetGoneText}>
        <a class="button button-main" href="/forgot">
          {account.newLink}
        </a>
        <a class="account-page-link" href="/sign-in">
          {account.toSignIn}
        </a>
      </AccountPage>
    )
  return <AccountPage title={common.loading} refusal={link.state === 'failed' ? link.text : ''} />
}

function ResetForm({ token, email }: { token: string; email: string }) {
  const { account } = words()
  const [password, setPassword] = useState('')
  const [fault, setFault] = useState<string>()
  const [refusal, setRefusal] = useState('')
  const [busy, setBusy] = useState(false)
  const [proving, setProving] = useState(false)

  async function submit() {
    const short = passwordFault(password)
    setFault(short)
    setRefusal('')
    if (short) return
    setBusy(true)
    try {
      await call('resetPassword', { params: { token }, body: { password, cookie: true } })
      navigate('/', 'replace')
      await start()
    } catch (error) {
      if (needsProof(error)) return setProving(true)
      const gone = error instanceof ApiFailure && error.status === 404
      setRefusal(gone ? account.resetGoneText : refusalOf(error))
    } finally {
      setBusy(false)
    }
  }

  if (proving)
    return <Prove email={email} password={password} onBack={() => navigate('/sign-in', 'replace')} />
  return (
    <AccountPage
      title={account.forgotTitle}
      text={account.resetText(email)}
      refusal={refusal}
      onSubmit={() => void submit()}
    >
      <input type="hidden" name="email" autocomplete="username" value={email} />
      <TextField
        label={account.newPassword}
        hint={account.passwordHint}
        type="password"
        name="password"
        autocomplete="new-password"
        autofocus
        maxLength={200}
        value={password}
        error={fault}
        onText={setPassword}
      />
      <Button look="main" type="submit" busy={busy}>
        {account.setPassword}
      </Button>
    </AccountPage>
  )
}
