import { words } from '../platform/i18n.js'
import { state } from '../store.js'
import { Empty } from '../ui/empty.js'
import { FirstSteps } from './first-steps.js'
import './page.css'

/** Beside the list while no chat is open. */
export function Welcome() {
  const { welcome } = words()
  const any = state.chats.value.size > 0
  return (
    <main class="page">
      <Empty
        icon="chat"
        level={1}
        title={any ? welcome.choose : welcome.first}
        text={any ? welcome.chooseHint : welcome.firstHint}
      >
        {!any && <FirstSteps />}
      </Empty>
    </main>
  )
}
