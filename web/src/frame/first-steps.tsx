import { words } from '../platform/i18n.js'
import { state } from '../store.js'
import './page.css'

/** What somebody without chats can begin with; the owner of a new workspace begins with its people. */
export function FirstSteps() {
  const { chats, welcome } = words()
  const { role, may = [] } = state.session.value ?? {}
  return (
    <div class="first-steps">
      <a class="button button-main" href="/browse">
        {welcome.browse}
      </a>
      {may.includes('chats.create') && (
        <a class="button button-plain" href="/new">
          {chats.newChat}
        </a>
      )}
      {(role === 'owner' || role === 'admin') && (
        <a class="button button-plain" href="/admin/people">
          {welcome.invite}
        </a>
      )}
    </div>
  )
}
