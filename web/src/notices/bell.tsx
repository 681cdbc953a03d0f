import { words } from '../platform/i18n.js'
import { state } from '../store.js'
import { Count } from '../ui/count.js'
import { Icon } from '../ui/icon.js'
import './bell.css'

/** Leads to the notices and says how many are new. */
export function Bell() {
  const { notices: say } = words()
  const unread = state.counters.value.notices_unread
  return (
    <a class="tool bell" href="/notices" data-tip={say.title}>
      <Icon name="bell" />
      <span class="only-heard">{say.title}</span>
      {unread > 0 && <Count value={unread} call label={say.unread(unread)} />}
    </a>
  )
}
