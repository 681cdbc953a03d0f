import type { ChatCard } from '@parley/contract'
import { call } from '../platform/api.js'
import { words } from '../platform/i18n.js'
import { state } from '../store.js'
import { readChat } from '../sync.js'
import { Button } from '../ui/button.js'
import { toast } from '../ui/toast.js'

/** Stands where one cannot write, says why, and lets one join an open chat. */
export function JoinBar({ card }: { card: ChatCard }) {
  const { chats, common } = words()
  const me = state.session.value?.user.id ?? 0
  const join = async () => {
    try {
      await call('addChatMembers', { params: { id: card.id }, body: { member_ids: [me] } })
      await readChat(card.id)
    } catch {
      toast(common.failed, { look: 'bad' })
    }
  }
  return (
    <div class="join-bar">
      <span>
        {card.archived ? chats.isArchived : card.my_role === null ? chats.notMember : chats.readOnly}
      </span>
      {card.my_role === null && !card.archived && (
        <Button look="main" onClick={() => void join()}>
          {chats.join}
        </Button>
      )}
    </div>
  )
}
