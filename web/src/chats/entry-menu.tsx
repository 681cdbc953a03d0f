import type { ChatCard } from '@parley/contract'
import { attempt } from '../frame/attempt.js'
import { words } from '../platform/i18n.js'
import { navigate } from '../platform/navigate.js'
import { state } from '../store.js'
import { ToolButton } from '../ui/button.js'
import { Menu, type MenuItem } from '../ui/menu.js'
import { markRead, markUnread, toggleFavourite, toggleMute } from './actions.js'
import { titleOf } from './entry.js'

/** What can be done with a chat of the list without opening it. */
export function EntryMenu({ card }: { card: ChatCard }) {
  const { panels } = words()
  const label = panels.entryMenu(titleOf(card))
  return (
    <Menu
      label={label}
      align="end"
      groups={groupsOf(card)}
      trigger={(props) => <ToolButton class="entry-menu" icon="more" label={label} {...props} />}
    />
  )
}

function groupsOf(card: ChatCard): MenuItem[][] {
  const { panels, chats } = words()
  const { favourite_chat_ids, muted_chat_ids } = state.preferences.value
  const favourite = favourite_chat_ids.includes(card.id)
  const muted = muted_chat_ids.includes(card.id)
  const unread = card.unread_count > 0
  return [
    [
      {
        label: unread ? panels.markRead : panels.markUnread,
        icon: 'unread',
        onSelect: () => void attempt(() => (unread ? markRead : markUnread)(card.id)),
      },
      {
        label: favourite ? panels.unfavourite : panels.favourite,
        icon: 'star',
        onSelect: () => void toggleFavourite(card.id),
      },
      {
        label: muted ? panels.unmute : panels.mute,
        icon: muted ? 'bell' : 'mute',
        onSelect: () => void toggleMute(card.id),
      },
    ],
    [
      {
        label: chats.aboutChat,
        icon: 'more',
        onSelect: () => navigate(`/chats/${card.id}?panel=about`),
      },
    ],
  ]
}
