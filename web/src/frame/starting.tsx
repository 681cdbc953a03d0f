import { Mark } from '../chats/mark.js'
import { words } from '../platform/i18n.js'
import { phase, start } from '../sync.js'
import { Button } from '../ui/button.js'

/** While everything is being read, and when it could not be. */
export function Starting() {
  const { account, common } = words()
  return (
    <main class="account-page" aria-busy={phase.value === 'starting'}>
      {phase.value === 'starting' ? (
        <span role="status" aria-label={common.loading}>
          <Mark />
        </span>
      ) : (
        <div class="account-page-box">
          <Mark />
          <p class="account-page-text">{account.noConnection}</p>
          <Button look="main" onClick={() => void start()}>
            {common.retry}
          </Button>
        </div>
      )}
    </main>
  )
}
