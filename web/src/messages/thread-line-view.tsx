import type { ThreadSummary } from '@parley/contract'
import { PersonAvatar } from '../people/person-avatar.js'
import { formatMoment } from '../platform/format.js'
import { words } from '../platform/i18n.js'
import { state } from '../store.js'
import { Count } from '../ui/count.js'
import './thread-line-view.css'

/** How many replied below a message, who last, and when; leads to the thread. */
export function ThreadLine({ chat_id, thread }: { chat_id: number; thread: ThreadSummary }) {
  const { messages, chats } = words()
  // The page of messages does not hear how far the thread was read since; its card does, where there is one.
  const unread = thread.following
    ? (state.chats.value.get(thread.chat_id)?.unread_count ?? thread.unread_count)
    : 0
  return (
    <a class="thread-line" href={`/chats/${chat_id}?thread=${thread.id}`}>
      <span class="thread-line-faces">
        {thread.last_replier_ids.toReversed().map((id) => (
          <PersonAvatar key={id} id={id} size="tiny" />
        ))}
      </span>
      <b>{messages.replies(thread.replies_count)}</b>
      {unread > 0 && <Count value={unread} label={chats.unread(unread)} />}
      {thread.last_reply_at && (
        <span class="quiet">{messages.lastReply(formatMoment(thread.last_reply_at))}</span>
      )}
    </a>
  )
}
