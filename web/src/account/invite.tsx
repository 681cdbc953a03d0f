import type { Invite } from '@parley/contract'
import { useState } from 'preact/hooks'
import { ApiFailure, call } from '../platform/api.js'
import { words } from '../platform/i18n.js'
import { navigate } from '../platform/navigate.js'
import { start } from '../sync.js'
import { Button } from '../ui/button.js'
import { TextField } from '../ui/field.js'
import { AccountPage } from './account-page.js'
import { passwordFault, refusalOf } from './refusals.js'
import { useLink } from './use-link.js'
import { useSignInOptions } from './use-sign-in-options.js'

export function InviteLink({ token }: { token: string }) {
  const { account, common } = words()
  const link = useLink(token, async (token) => (await call('getInvite', { params: { token } })).data)
  if (link.state === 'there') return <AcceptForm token={token} invite={link.value} />
  if (link.state === 'gone')
    return (
      <AccountPage title={account.inviteGone} text={account.inviteGoneText}>
        <a class="account-page-link" href="/sign-in">
          {account.toSignIn}
        </a>
      </AccountPage>
    )
  return <AccountPage title={common.loading} refusal={link.state === 'failed' ? link.text : ''} />
}

/** Where there are no passwords, the invitation is accepted by signing in. */
function AcceptForm(props: { token: string; invite: Invite }) {
  const { password, providers, parts } = useSignInOptions()
  if (password) return <PasswordForm {...props} />
  const { email, workspace_name } = props.invite
  const title = words().account.inviteTitle(workspace_name)
  return (
    <AccountPage title={title} text={parts?.providerWords().inviteText(email)}>
      {parts && <parts.ProviderLinks providers={providers} />}
    </AccountPage>
  )
}

function PasswordForm({ token, invite }: { token: string; invite: Invite }) {
  const { account } = words()
  const [first_name, setFirst] = useState(invite.first_name ?? '')
  const [last_name, setLast] = useState(invite.last_name ?? '')
  const [password, setPassword] = useState('')
  const [faults, setFaults] = useState<{ name?: string | undefined; password?: string | undefined }>({})
  const [refusal, setRefusal] = useState('')
  const [busy, setBusy] = useState(false)

  async function submit() {
    const name = first_name.trim() === '' ? account.emptyName : undefined
    const short = passwordFault(password)
    setFaults({ name, password: short })
    setRefusal('')
    if (name || short) return
    setBusy(true)
    const names = { first_name: first_name.trim(), last_name: last_name.trim() }
    try {
      await call('acceptInvite', { params: { token }, body: { ...names, password, cookie: true } })
      navigate('/', 'replace')
      await start()
    } catch (error) {
      const gone = error instanceof ApiFailure && error.status === 404
      setRefusal(gone ? account.inviteGoneText : refusalOf(error))
    } finally {
      setBusy(false)
    }
  }

  return (
    <AccountPage
      title={account.inviteTitle(invite.workspace_name)}
      text={account.inviteText(invite.email)}
      refusal={refusal}
      onSubmit={() => void submit()}
    >
      <TextField
        label={account.firstName}
        name="first_name"
        autocomplete="given-name"
        autofocus
        maxLength={255}
        value={first_name}
        error={faults.name}
        onText={setFirst}
      />
      <TextField
        label={account.lastName}
        name="last_name"
        autocomplete="family-name"
        maxLength={255}
        value={last_name}
        onText={setLast}
      />
      {/* Password managers learn from it whose password this is. */}
      <input type="hidden" name="email" autocomplete="username" value={invite.email} />
      <TextField
        label={account.password}
        hint={account.passwordHint}
        type="password"
        name="password"
        autocomplete="new-password"
        maxLength={200}
        value={password}
        error={faults.password}
        onText={setPassword}
      />
      <Button look="main" type="submit" busy={busy}>
        {account.accept}
      </Button>
    </AccountPage>
  )
}
