import type { ChatNotifications } from '@parley/contract'
import { titleOf } from '../chats/entry.js'
import { formatMoment } from '../platform/format.js'
import { Section } from '../settings/section.js'
import { Thing, Things } from '../settings/things.js'
import { state } from '../store.js'
import { Button } from '../ui/button.js'
import { notificationWords } from '../words/notifications.js'
import { setChat } from './actions.js'

/** Chats and threads for which something else is set than in general. */
export function ChatsSection() {
  const say = notificationWords()
  const { chats } = state.notifications.value
  return (
    <Section title={say.chats}>
      {chats.length === 0 ? (
        <p class="quiet">{say.noChats}</p>
      ) : (
        <Things>
          {chats.map((chat) => (
            <OneChat key={chat.chat_id} chat={chat} />
          ))}
        </Things>
      )}
    </Section>
  )
}

function OneChat({ chat }: { chat: ChatNotifications }) {
  const say = notificationWords()
  const card = state.chats.value.get(chat.chat_id)
  const name = card ? titleOf(card) : say.thread
  const until = chat.muted_until !== null && say.mutedUntil(formatMoment(chat.muted_until))
  return (
    <Thing
      icon={chat.level === 'nothing' ? 'mute' : 'bell'}
      name={name}
      about={[chat.level && say.levels[chat.level], until]}
    >
      <Button
        look="quiet"
        aria-label={say.chatResetOf(name)}
        onClick={() => void setChat({ chat_id: chat.chat_id, level: null, muted_until: null })}
      >
        {say.chatReset}
      </Button>
    </Thing>
  )
}
