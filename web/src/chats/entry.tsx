import type { ChatCard } from '@parley/contract'
import { placeKey } from '../drafts/state.js'
import { mutedChatIds } from '../notifications/actions.js'
import { personAt } from '../people/names.js'
import { PersonAvatar } from '../people/person-avatar.js'
import { words } from '../platform/i18n.js'
import { state } from '../store.js'
import { Count } from '../ui/count.js'
import { Icon, type IconName } from '../ui/icon.js'
import { startDrag } from './drag.js'

export function iconOf(card: Pick<ChatCard, 'kind' | 'public'>): IconName {
  if (card.kind === 'channel') return 'channel'
  return card.public ? 'chat' : 'lock'
}

/** The name of a chat; of a personal one the other person's, with what they say about themselves. */
export function titleOf(card: ChatCard): string {
  if (card.personal_user_id === null) return card.name
  return state.people.value.has(card.personal_user_id) ? personAt(card.personal_user_id).name : card.name
}

export function Entry({ card, current }: { card: ChatCard; current: boolean }) {
  const { chats } = words()
  const muted = mutedChatIds.value.includes(card.id)
  const calls = card.kind === 'personal' ? card.unread_count > 0 : card.mention_count > 0
  const unread = card.unread_count > 0 && (!muted || calls)
  const hasDraft = state.drafts.value.has(placeKey({ entity_type: 'discussion', entity_id: card.id }))
  const classes = ['entry', unread && 'entry-unread', muted && 'entry-muted'].filter(Boolean).join(' ')
  const status = card.personal_user_id === null ? null : personAt(card.personal_user_id).status
  return (
    <a
      class={classes}
      href={`/chats/${card.id}`}
      aria-current={current ? 'page' : undefined}
      onDragStart={(event) => startDrag(event, card.id)}
    >
      {card.personal_user_id === null ? (
        <Icon name={iconOf(card)} />
      ) : (
        <PersonAvatar id={card.personal_user_id} size="small" withPresence />
      )}
      <span class="entry-name" data-cut>
        {titleOf(card)} {status?.emoji}
      </span>
      {hasDraft && !current && <Icon name="pen" size="sm" label={chats.hasDraft} />}
      {muted && <Icon name="mute" size="sm" label={chats.muted} />}
      {unread && (
        <Count
          value={calls && card.kind !== 'personal' ? card.mention_count : card.unread_count}
          call={calls}
          label={calls ? chats.mentions(card.unread_count) : chats.unread(card.unread_count)}
        />
      )}
    </a>
  )
}
