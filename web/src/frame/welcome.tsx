import { words } from '../platform/i18n.js'
import { state } from '../store.js'
import { Empty } from '../ui/empty.js'
import './page.css'

/** Beside the list while no chat is open. */
export function Welcome() {
  const { chats, welcome } = words()
  const any = state.chats.value.size > 0
  return (
    <main class="page">
      <Empty
        icon="chat"
        level={1}
        title={any ? welcome.choose : welcome.first}
        text={any ? welcome.chooseHint : welcome.firstHint}
      >
        {!any && (
          <div class="first-steps">
            <a class="button button-main" href="/browse">
              {welcome.browse}
            </a>
            <a class="button button-plain" href="/new">
              {chats.newChat}
            </a>
          </div>
        )}
      </Empty>
    </main>
  )
}
