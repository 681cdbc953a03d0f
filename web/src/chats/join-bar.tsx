import type { ChatCard } from '@parley/contract'
import { attempt } from '../frame/attempt.js'
import { words } from '../platform/i18n.js'
import { Button } from '../ui/button.js'
import { joinChat } from './actions.js'

/** Stands where one cannot write, says why, and lets one join an open chat. */
export function JoinBar({ card }: { card: ChatCard }) {
  const { chats } = words()
  return (
    <div class="join-bar">
      <span>
        {card.archived ? chats.isArchived : card.my_role === null ? chats.notMember : chats.readOnly}
      </span>
      {card.my_role === null && !card.archived && (
        <Button look="main" onClick={() => void attempt(() => joinChat(card.id))}>
          {chats.join}
        </Button>
      )}
    </div>
  )
}
