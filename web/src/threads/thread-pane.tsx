import type { TimelineMessage } from '@parley/contract'
import { useEffect, useState } from 'preact/hooks'
import { lazy } from 'preact-iso'
import { titleOf } from '../chats/entry.js'
import { Composer } from '../composer/composer.js'
import { PaneHead } from '../frame/pane-head.js'
import { ReadingFailed } from '../frame/waiting.js'
import { findMessage } from '../messages/actions.js'
import { MessageRow } from '../messages/message.js'
import { Timeline } from '../messages/timeline.js'
import { call } from '../platform/api.js'
import { words } from '../platform/i18n.js'
import { useNarrow } from '../platform/narrow.js'
import { state } from '../store.js'
import { ToolButton, ToolLink } from '../ui/button.js'
import { Empty } from '../ui/empty.js'
import { toast } from '../ui/toast.js'
import { useThread } from './use-thread.js'
import './thread-pane.css'

const ThreadLevel = lazy(() => import('../notifications/thread-level.js').then((all) => all.ThreadLevel))

interface ThreadPaneProps {
  chat_id: number
  thread_id: number
  /** A reply to open at. */
  message_id: number | null
}

/** A thread beside its chat: the message it hangs under, the replies, and a field to reply. */
export function ThreadPane({ chat_id, thread_id, message_id }: ThreadPaneProps) {
  const narrow = useNarrow()
  const { threads, messages, common } = words()
  const card = state.chats.value.get(chat_id)
  const { thread, isMissing, failure, again } = useThread(thread_id, message_id)
  const parent = thread?.message_id ? findMessage(chat_id, thread.message_id) : undefined
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
      {isMissing && <Empty icon="search" title={threads.missing} text={common.notFoundHint} />}
      {!isMissing && failure !== null && <ReadingFailed text={failure} onRetry={again} />}
      {thread && !isMissing && failure === null && (
        <>
          <Timeline
            key={thread.chat_id}
            chat_id={thread.chat_id}
            place={{ entity_type: 'thread', entity_id: thread.id }}
            message_id={message_id}
            new_after={null}
            label={threads.replies}
            start={
              parent?.thread?.replies_count
                ? messages.replies(parent.thread.replies_count)
                : threads.noReplies
            }
            fromTop
          />
          <Composer
            key={`c${thread.chat_id}`}
            place={{ entity_type: 'thread', entity_id: thread.id }}
            chat_id={thread.chat_id}
            label={threads.reply}
            small
          />
        </>
      )}
    </Box>
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
  const { threads, common } = words()
  const following = message.thread?.following ?? false
  const [now, setNow] = useState(following)
  useEffect(() => setNow(following), [following])
  const toggle = async () => {
    setNow(!now)
    await call('followThread', { params: { id: message.thread?.id ?? 0 }, body: { following: !now } }).catch(
      () => {
        setNow(now)
        toast(common.failed, { look: 'bad' })
      },
    )
  }
  return <ToolButton icon="bell" label={threads.follow} aria-pressed={now} onClick={() => void toggle()} />
}
