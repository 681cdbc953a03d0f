import { useRoute } from 'preact-iso'
import { personAt } from '../people/names.js'
import { words } from '../platform/i18n.js'
import { state } from '../store.js'
import { phase, signOut } from '../sync.js'
import { Button } from '../ui/button.js'
import { Door } from './door.js'
import { Forgot } from './forgot.js'
import { InviteLink } from './invite.js'
import { ResetLink } from './reset.js'

/** The pages that a letter leads to, and the one that asks for such a letter. */
export function Doors() {
  const { door, token } = useRoute().params
  if (phase.value === 'ready') return <AlreadyIn isInvited={door === 'invite'} />
  if (!token || door === 'forgot') return <Forgot />
  return door === 'invite' ? <InviteLink token={token} /> : <ResetLink token={token} />
}

/** A link for somebody else must not be used in the name of whoever is signed in here. */
function AlreadyIn({ isInvited }: { isInvited: boolean }) {
  const { account, common } = words()
  const me = state.session.value?.user.id ?? 0
  const workspace = state.session.value?.workspace.name ?? ''
  const title = isInvited ? account.inviteTitle(workspace) : account.forgotTitle
  return (
    <Door title={title} text={account.alreadyIn(personAt(me).name)}>
      <Button look="main" onClick={() => void signOut()}>
        {account.signOut}
      </Button>
      <a class="door-link" href="/">
        {common.toChats}
      </a>
    </Door>
  )
}
