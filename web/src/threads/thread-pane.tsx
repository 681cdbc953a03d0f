import type { Thread, TimelineMessage } from '@parley/contract'
import { useEffect, useState } from 'preact/hooks'
import { lazy } from 'preact-iso'
import { titleOf } from '../chats/entry.js'
import { Composer } from '../composer/composer.js'
import { sayFailure } from '../frame/attempt.js'
import { PaneHead } from '../frame/pane-head.js'
import { Reading, ReadingFailed } from '../frame/waiting.js'
import { MessageRow } from '../messages/message.js'
import { useReading } from '../messages/reading.js'
import { Timeline } from '../messages/timeline.js'
import { call } from '../platform/api.js'
import { words } from '../platform/i18n.js'
import { useNarrow } from '../platform/narrow.js'
import { state } from '../store.js'
import { ToolButton, ToolLink } from '../ui/button.js'
import { Empty } from '../ui/empty.js'
import { useThread } from './use-thread.js'
import './thread-pane.css'

const ThreadLevel = lazy(() => import('../notifications/thread-level.js').then((all) => all.ThreadLevel))

interface ThreadPaneProps {
  chat_id: number
  thread_id: number
  /** A reply to open at. */
  message_id: number | null
}

const placeOf = ({ id }: Thread) => ({ entity_type: 'thread', entity_id: id }) as const

/** A thread beside its chat: the message it hangs under, the replies, and a field to reply. */
export function ThreadPane({ chat_id, thread_id, message_id }: ThreadPaneProps) {
  const narrow = useNarrow()
  const { threads, common } = words()
  const card = state.chats.value.get(chat_id)
  const { thread, parent, newAfter, isKnown, isMissing, failure, again } = useThread(
    chat_id,
    thread_id,
    message_id,
  )
  useReading(thread?.chat_id ?? null)
  // On a narrow screen it is all there is.
  const Box = narrow ? 'main' : 'aside'
  return (
    <Box class="thread" aria-label={threads.thread}>
      <PaneHead
        back={`/chats/${chat_id}`}
        level={narrow ? 1 : 2}
        title={threads.thread}
        about={card && <span>{titleOf(card)}</span>}
      >
        {parent?.thread && <FollowButton message={parent} />}
        {thread && parent?.thread?.following && <ThreadLevel chat_id={thread.chat_id} />}
        <ToolLink href={`/chats/${chat_id}`} icon="close" label={threads.close} class="only-wide" />
      </PaneHead>
      {parent && <Parent message={parent} />}
      {isMissing ? (
        <Empty icon="search" title={threads.missing} text={common.notFoundHint} />
      ) : (
        <>
          {failure !== null && <ReadingFailed text={failure} onRetry={again} />}
          {failure === null && !thread && <Reading />}
          {failure === null && thread && (
            <Replies
              key={isKnown}
              thread={thread}
              message_id={message_id}
              new_after={newAfter}
              count={parent && (parent.thread?.replies_count ?? 0)}
            />
          )}
          {thread && (
            <Composer
              key={thread.chat_id}
              place={placeOf(thread)}
              chat_id={thread.chat_id}
              label={threads.reply}
              small
            />
          )}
        </>
      )}
    </Box>
  )
}

interface RepliesProps {
  thread: Thread
  message_id: number | null
  new_after: number | null
  /** Unknown until the message above is here. */
  count: number | undefined
}

function Replies({ thread, message_id, new_after, count }: RepliesProps) {
  const { threads, messages } = words()
  const start = count === 0 ? threads.noReplies : count ? messages.replies(count) : threads.replies
  return (
    <Timeline
      key={thread.chat_id}
      chat_id={thread.chat_id}
      place={placeOf(thread)}
      message_id={message_id}
      new_after={new_after}
      label={threads.replies}
      start={start}
      fromTop
    />
  )
}

function Parent({ message }: { message: TimelineMessage }) {
  return (
    <div class="thread-parent scroll">
      <MessageRow message={{ ...message, thread: null }} first />
    </div>
  )
}

function FollowButton({ message }: { message: TimelineMessage }) {
  const { threads } = words()
  const following = message.thread?.following ?? false
  const [now, setNow] = useState(following)
  useEffect(() => setNow(following), [following])
  const toggle = async () => {
    setNow(!now)
    await call('followThread', { params: { id: message.thread?.id ?? 0 }, body: { following: !now } }).catch(
      (error) => {
        setNow(now)
        sayFailure(error)
      },
    )
  }
  return <ToolButton icon="bell" label={threads.follow} aria-pressed={now} onClick={() => void toggle()} />
}
