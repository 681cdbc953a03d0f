import type { ChatCard } from '@parley/contract'
import { useMemo } from 'preact/hooks'
import { useLocation, useRoute } from 'preact-iso'
import { Composer } from '../composer/composer.js'
import { PaneHead } from '../frame/pane-head.js'
import { ReadingFailed } from '../frame/waiting.js'
import { useReading } from '../messages/reading.js'
import { Timeline } from '../messages/timeline.js'
import { isOtherGone } from '../people/personal.js'
import { idIn } from '../platform/address.js'
import { words } from '../platform/i18n.js'
import { Empty } from '../ui/empty.js'
import { ChatHead } from './chat-head.js'
import { titleOf } from './entry.js'
import { JoinBar } from './join-bar.js'
import { LeftText } from './left-text.js'
import { useChat } from './use-chat.js'
import { useThreadAddress } from './use-thread-address.js'
import './chat-screen.css'

/** The chat of the address; a new one for each chat, so that nothing of the last one stays. */
export function ChatRoute() {
  const { params } = useRoute()
  const { query } = useLocation()
  const id = Number(params.id)
  return <ChatScreen key={id} id={id} message_id={idIn(query.message)} />
}

const mayWriteIn = (card: ChatCard) => card.may.includes('write') && !isOtherGone(card)

function ChatScreen({ id, message_id }: { id: number; message_id: number | null }) {
  const { card, last, newAfter, isKnown, isMissing, failure, again } = useChat(id, message_id)
  useReading(id)
  useThreadAddress(card, message_id)
  const { common, chats, messages, welcome } = words()

  const title = last ? titleOf(last) : ''
  const place = useMemo(() => ({ entity_type: 'discussion', entity_id: id }) as const, [id])
  // Messages come more often than anything of it changes.
  const composer = useMemo(
    () => <Composer place={place} chat_id={id} label={chats.writeTo(title)} />,
    [place, chats, title],
  )

  if (isMissing) {
    const heading = last ? chats.noAccess : chats.missing
    return (
      <main class="chat">
        <PaneHead back="/" title={last ? title : heading} />
        <Empty icon="search" title={heading} text={last ? chats.noAccessHint : common.notFoundHint}>
          <a class="button button-plain" href="/browse">
            {welcome.browse}
          </a>
        </Empty>
        <LeftText place={place} />
      </main>
    )
  }
  return (
    <main class="chat" aria-label={title}>
      {last ? <ChatHead card={last} /> : <PaneHead back="/" title={common.loading} />}
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
      {card && (mayWriteIn(card) ? composer : <JoinBar card={card} place={place} />)}
    </main>
  )
}
