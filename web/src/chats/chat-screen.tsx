import { useMemo } from 'preact/hooks'
import { useLocation, useRoute } from 'preact-iso'
import { Composer } from '../composer/composer.js'
import { PaneHead } from '../frame/pane-head.js'
import { ReadingFailed } from '../frame/waiting.js'
import { Timeline } from '../messages/timeline.js'
import { words } from '../platform/i18n.js'
import { Empty } from '../ui/empty.js'
import { ChatHead } from './chat-head.js'
import { titleOf } from './entry.js'
import { JoinBar } from './join-bar.js'
import { useChat } from './use-chat.js'
import './chat-screen.css'

/** The chat of the address; a new one for each chat, so that nothing of the last one stays. */
export function ChatRoute() {
  const { params } = useRoute()
  const { query } = useLocation()
  const id = Number(params.id)
  return <ChatScreen key={id} id={id} message_id={query.message ? Number(query.message) : null} />
}

function ChatScreen({ id, message_id }: { id: number; message_id: number | null }) {
  const { card, newAfter, isKnown, isMissing, failure, again } = useChat(id, message_id)
  const { common, chats, messages, welcome } = words()

  const title = card ? titleOf(card) : ''
  const place = useMemo(() => ({ entity_type: 'discussion', entity_id: id }) as const, [id])
  // Messages come more often than anything of it changes.
  const composer = useMemo(
    () => <Composer place={place} chat_id={id} label={chats.writeTo(title)} />,
    [place, chats, title],
  )

  if (isMissing)
    return (
      <main class="chat">
        <PaneHead back="/" title={chats.missing} />
        <Empty icon="search" title={chats.missing} text={common.notFoundHint}>
          <a class="button button-plain" href="/browse">
            {welcome.browse}
          </a>
        </Empty>
      </main>
    )
  return (
    <main class="chat" aria-label={title}>
      {card ? <ChatHead card={card} /> : <PaneHead back="/" title={common.loading} />}
      {failure === null ? (
        <Timeline
          key={isKnown}
          chat_id={id}
          place={place}
          message_id={message_id}
          new_after={newAfter}
          label={chats.messages}
          start={messages.chatStart}
        />
      ) : (
        <ReadingFailed text={failure} onRetry={again} />
      )}
      {card?.may.includes('write') ? composer : card && <JoinBar card={card} />}
    </main>
  )
}
