import type { ChatCard } from '@parley/contract'
import type { Place } from '../drafts/state.js'
import { attempt } from '../frame/attempt.js'
import { isOtherGone } from '../people/personal.js'
import { words } from '../platform/i18n.js'
import { Button } from '../ui/button.js'
import { joinChat } from './actions.js'
import { LeftText } from './left-text.js'

function reasonOf(card: ChatCard): string {
  const { chats, people } = words()
  if (card.archived) return chats.isArchived
  if (card.my_role === null) return chats.notMember
  return isOtherGone(card) ? people.gone : chats.readOnly
}

/** Stands where one cannot write, says why, and lets one join an open chat. */
export function JoinBar({ card, place }: { card: ChatCard; place: Place }) {
  const { chats } = words()
  const mayJoin = card.my_role === null && !card.archived
  return (
    <>
      {!mayJoin && <LeftText place={place} />}
      <div class="join-bar">
        <span>{reasonOf(card)}</span>
        {mayJoin && (
          <Button look="main" onClick={() => void attempt(() => joinChat(card.id))}>
            {chats.join}
          </Button>
        )}
      </div>
    </>
  )
}
