import { useRoute } from 'preact-iso'
import { personAt } from '../people/names.js'
import { words } from '../platform/i18n.js'
import { state } from '../store.js'
import { phase, signOut } from '../sync.js'
import { Button } from '../ui/button.js'
import { AccountPage } from './account-page.js'
import { Forgot } from './forgot.js'
import { InviteLink } from './invite.js'
import { ResetLink } from './reset.js'

/** The pages that links in e-mails open, and the one that requests such an e-mail. */
export function LinkPages() {
  const { page, token } = useRoute().params
  if (phase.value === 'ready') return <AlreadyIn isInvited={page === 'invite'} />
  if (!token || page === 'forgot') return <Forgot />
  return page === 'invite' ? <InviteLink token={token} /> : <ResetLink token={token} />
}

/** A link for one person must not be used by another who is signed in here. */
function AlreadyIn({ isInvited }: { isInvited: boolean }) {
  const { account, common } = words()
  const me = state.session.value?.user.id ?? 0
  const workspace = state.session.value?.workspace.name ?? ''
  const title = isInvited ? account.inviteTitle(workspace) : account.forgotTitle
  return (
    <AccountPage title={title} text={account.alreadyIn(personAt(me).name)}>
      <Button look="main" onClick={() => void signOut()}>
        {account.signOut}
      </Button>
      <a class="account-page-link" href="/">
        {common.toChats}
      </a>
    </AccountPage>
  )
}
