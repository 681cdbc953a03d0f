import type { ChatCard } from '@parley/contract'
import type { Place } from '../drafts/state.js'
import { attempt } from '../frame/attempt.js'
import { words } from '../platform/i18n.js'
import { Button } from '../ui/button.js'
import { joinChat } from './actions.js'
import { LeftText } from './left-text.js'

/** Stands where one cannot write, says why, and lets one join an open chat. */
export function JoinBar({ card, place }: { card: ChatCard; place: Place }) {
  const { chats } = words()
  const mayJoin = card.my_role === null && !card.archived
  return (
    <>
      {!mayJoin && <LeftText place={place} />}
      <div class="join-bar">
        <span>
          {card.archived ? chats.isArchived : card.my_role === null ? chats.notMember : chats.readOnly}
        </span>
        {mayJoin && (
          <Button look="main" onClick={() => void attempt(() => joinChat(card.id))}>
            {chats.join}
          </Button>
        )}
      </div>
    </>
  )
}
