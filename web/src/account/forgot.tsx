import { useState } from 'preact/hooks'
import { call } from '../platform/api.js'
import { words } from '../platform/i18n.js'
import { Button } from '../ui/button.js'
import { TextField } from '../ui/field.js'
import { AccountPage } from './account-page.js'
import { refusalOf } from './refusals.js'

/** Asks for a letter with a link. The answer is the same whether there is such an account or not. */
export function Forgot() {
  const { account } = words()
  const [email, setEmail] = useState('')
  const [fault, setFault] = useState<string>()
  const [refusal, setRefusal] = useState('')
  const [busy, setBusy] = useState(false)
  const [sent, setSent] = useState(false)

  async function submit() {
    setRefusal('')
    setFault(email.trim() === '' ? account.emptyEmail : undefined)
    if (email.trim() === '') return
    setBusy(true)
    try {
      await call('requestPasswordReset', { body: { email: email.trim() } })
      setSent(true)
    } catch (error) {
      setRefusal(refusalOf(error))
    } finally {
      setBusy(false)
    }
  }

  const back = (
    <a class="account-page-link" href="/sign-in">
      {account.toSignIn}
    </a>
  )
  if (sent)
    return (
      <AccountPage title={account.linkSent} text={account.linkSentText(email.trim())}>
        {back}
      </AccountPage>
    )
  return (
    <AccountPage
      title={account.forgotTitle}
      text={account.forgotText}
      refusal={refusal}
      onSubmit={() => void submit()}
    >
      <TextField
        label={account.email}
        type="email"
        name="email"
        autocomplete="username"
        autofocus
        value={email}
        error={fault}
        onText={setEmail}
      />
      <Button look="main" type="submit" busy={busy}>
        {account.sendLink}
      </Button>
      {back}
    </AccountPage>
  )
}
