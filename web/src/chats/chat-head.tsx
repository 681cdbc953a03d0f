import type { ChatCard } from '@parley/contract'
import { memo } from 'preact/compat'
import { PaneHead } from '../frame/pane-head.js'
import { personAt } from '../people/names.js'
import { words } from '../platform/i18n.js'
import { state } from '../store.js'
import { ToolLink } from '../ui/button.js'
import { titleOf } from './entry.js'

const SHOWN = ['id', 'name', 'kind', 'public', 'personal_user_id', 'members_count', 'description'] as const

/** A card changes with every message, and what its head shows does not. */
const showsSame = (one: { card: ChatCard }, other: { card: ChatCard }) =>
  SHOWN.every((field) => one.card[field] === other.card[field])

export const ChatHead = memo(({ card }: { card: ChatCard }) => {
  const { chats } = words()
  const at = `/chats/${card.id}`
  return (
    <PaneHead back="/" title={titleOf(card)} about={<About card={card} />}>
      <ToolLink href={`/search?in=${card.id}`} icon="search" label={chats.searchHere} />
      <ToolLink href={`${at}?panel=pins`} icon="pin" label={chats.pins} class="only-wide" />
      {card.kind !== 'personal' && (
        <ToolLink href={`${at}?panel=members`} icon="people" label={chats.members} class="only-wide" />
      )}
      <ToolLink href={`${at}?panel=about`} icon="more" label={chats.aboutChat} />
    </PaneHead>
  )
}, showsSame)

function About({ card }: { card: ChatCard }) {
  const { chats, common } = words()
  if (card.personal_user_id !== null) {
    const { title, status } = personAt(card.personal_user_id)
    const here = state.presence.value.get(card.personal_user_id)
    const parts = [here ? chats.presence[here] : chats.presence.offline, title, status?.title]
    return <span>{parts.filter(Boolean).join(' · ')}</span>
  }
  const kind = chats.kinds[card.kind === 'channel' ? 'channel' : 'chat'][card.public ? 'open' : 'closed']
  return (
    <>
      <span>{[kind, common.people(card.members_count)].join(' · ')}</span>
      {card.description && (
        <span class="pane-about-more" title={card.description}>
          {card.description}
        </span>
      )}
    </>
  )
}
