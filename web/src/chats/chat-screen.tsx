import { useEffect, useMemo, useState } from 'preact/hooks'
import { useLocation, useRoute } from 'preact-iso'
import { Composer } from '../composer/composer.js'
import { PaneHead } from '../frame/pane-head.js'
import { readTimeline } from '../messages/actions.js'
import { Timeline } from '../messages/timeline.js'
import { ApiFailure } from '../platform/api.js'
import { words } from '../platform/i18n.js'
import { connection } from '../platform/live.js'
import { state } from '../store.js'
import { fresh, readChat } from '../sync.js'
import { Empty } from '../ui/empty.js'
import { ChatHead } from './chat-head.js'
import { titleOf } from './entry.js'
import { JoinBar } from './join-bar.js'
import './chat-screen.css'

/** The chat of the address; a new one for each chat, so that nothing of the last one stays. */
export function ChatRoute() {
  const { params } = useRoute()
  const { query } = useLocation()
  const id = Number(params.id)
  return <ChatScreen key={id} id={id} message_id={query.message ? Number(query.message) : null} />
}

function ChatScreen({ id, message_id }: { id: number; message_id: number | null }) {
  const card = state.chats.value.get(id)
  const { common, chats, messages, welcome } = words()
  const [missing, setMissing] = useState(false)
  const newAfter = useMemo(
    () => (card && card.unread_count > 0 ? card.read_message_id : null),
    // What the device's copy says of unread messages is not asked again once the server has.
    [id, fresh.value],
  )
  const run = state.messages.value.get(id)
  const isKnown = run !== undefined && !run.stale
  const isOnline = connection.value === 'online'

  useEffect(() => {
    if (!fresh.value) return
    const fail = (error: unknown) => error instanceof ApiFailure && error.status < 500 && setMissing(true)
    if (!card) readChat(id).catch(fail)
    const shown = isKnown && message_id !== null && run.messages.some((message) => message.id === message_id)
    if (message_id !== null && !shown) readTimeline(id, { around: message_id }).catch(fail)
    else if (!isKnown)
      readTimeline(id, newAfter === null ? { newest: true } : { first_unread: true }).catch(fail)
  }, [id, message_id, fresh.value, isKnown, isKnown || isOnline])

  const title = card ? titleOf(card) : ''
  const place = useMemo(() => ({ entity_type: 'discussion', entity_id: id }) as const, [id])
  // Messages come more often than anything of it changes.
  const composer = useMemo(
    () => <Composer place={place} chat_id={id} label={chats.writeTo(title)} />,
    [place, chats, title],
  )

  if (missing)
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
      <Timeline
        key={isKnown}
        chat_id={id}
        place={place}
        message_id={message_id}
        new_after={newAfter}
        label={chats.messages}
        start={messages.chatStart}
      />
      {card?.may.includes('write') ? composer : card && <JoinBar card={card} />}
    </main>
  )
}
