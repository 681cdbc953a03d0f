import { useState } from 'preact/hooks'
import { lazy } from 'preact-iso'
import { call } from '../platform/api.js'
import { words } from '../platform/i18n.js'
import { ended } from '../sync.js'
import { Button } from '../ui/button.js'
import { TextField } from '../ui/field.js'
import { AccountPage } from './account-page.js'
import { enter } from './enter.js'
import { needsProof, refusalOf } from './refusals.js'
import { useSignInOptions } from './use-sign-in-options.js'

const Prove = lazy(() => import('./prove.js').then(({ Prove }) => Prove))

export function SignIn() {
  const { account } = words()
  const [email, setEmail] = useState('')
  const [password, setPassword] = useState('')
  const [refusal, setRefusal] = useState('')
  const [faults, setFaults] = useState<{ email?: string; password?: string }>({})
  const [busy, setBusy] = useState(false)
  const [proving, setProving] = useState(false)
  const { password: passwords, providers, parts } = useSignInOptions()

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
      const { data } = await call('signIn', { body: { email: email.trim(), password, cookie: true } })
      await enter(data.user.id)
    } catch (error) {
      if (needsProof(error)) setProving(true)
      else setRefusal(refusalOf(error))
    } finally {
      setBusy(false)
    }
  }

  if (proving) return <Prove email={email.trim()} password={password} onBack={() => setProving(false)} />
  const links = parts && <parts.ProviderLinks providers={providers} />
  const reason = ended.value ? account.ended : undefined
  const refused = refusal || (parts?.providerRefusal() ?? '')
  if (!passwords)
    return (
      <AccountPage
        title={account.signInTo}
        text={reason ?? parts?.providerWords().noPasswords}
        refusal={refused}
      >
        {links}
      </AccountPage>
    )
  return (
    <AccountPage title={account.signInTo} text={reason} refusal={refused} onSubmit={() => void submit()}>
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
      <a class="account-page-link" href="/forgot">
        {account.forgot}
      </a>
      {links}
    </AccountPage>
  )
}
