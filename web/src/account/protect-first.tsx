import { attempt } from '../frame/attempt.js'
import { words } from '../platform/i18n.js'
import { SecondFactorSection } from '../settings/second-factor-section.js'
import { signOut, start } from '../sync.js'
import { Button } from '../ui/button.js'
import { accessWords } from '../words/access.js'
import { AccountPage } from './account-page.js'

/** What people see who lack the second factor that the workspace asks for. */
export function ProtectFirst() {
  const access = accessWords()
  return (
    <AccountPage title={access.protectTitle} text={access.protectText}>
      <SecondFactorSection onProtected={() => void start()} />
      <Button look="quiet" onClick={() => void attempt(signOut)}>
        {words().account.signOut}
      </Button>
    </AccountPage>
  )
}
