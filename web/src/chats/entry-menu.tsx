import type { ChatCard } from '@parley/contract'
import { attempt } from '../frame/attempt.js'
import { markUnread } from '../messages/reading.js'
import { mutedChatIds, toggleMute } from '../notifications/actions.js'
import { words } from '../platform/i18n.js'
import { navigate } from '../platform/navigate.js'
import { state } from '../store.js'
import { ToolButton } from '../ui/button.js'
import { Menu, type MenuItem } from '../ui/menu.js'
import { markRead, toggleFavourite } from './actions.js'
import { moveChat } from './drag.js'
import { titleOf } from './entry.js'
import { nameNewSection } from './section-host.js'
import { sectionOf } from './sections.js'

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
  const { favourite_chat_ids } = state.preferences.value
  const favourite = favourite_chat_ids.includes(card.id)
  const muted = mutedChatIds.value.includes(card.id)
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
    sectionItems(card),
    [
      {
        label: chats.aboutChat,
        icon: 'more',
        onSelect: () => navigate(`/chats/${card.id}?panel=about`),
      },
    ],
  ]
}

/** The sections that the chat can go to. */
function sectionItems(card: ChatCard): MenuItem[] {
  const { sections: say } = words()
  const { sections } = state.preferences.value
  const at = sectionOf(sections, card.id)
  const others = sections.filter(({ id }) => id !== at)
  return [
    ...others.map(
      ({ id, name }): MenuItem => ({
        label: say.moveTo(name),
        icon: 'folder',
        onSelect: () => void moveChat(card.id, { section_id: id }),
      }),
    ),
    ...(at === null
      ? []
      : [{ label: say.takeOut, icon: 'close' as const, onSelect: () => void moveChat(card.id, 'usual') }]),
    { label: say.addWith, icon: 'plus', onSelect: () => nameNewSection(card.id) },
  ]
}
