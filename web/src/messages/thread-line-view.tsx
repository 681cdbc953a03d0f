import type { ThreadSummary } from '@parley/contract'
import { PersonAvatar } from '../people/person-avatar.js'
import { formatMoment } from '../platform/format.js'
import { words } from '../platform/i18n.js'
import { Count } from '../ui/count.js'
import './thread-line-view.css'

/** How many replied below a message, who last, and when; leads to the thread. */
export function ThreadLine({ chat_id, thread }: { chat_id: number; thread: ThreadSummary }) {
  const { messages, chats } = words()
  return (
    <a class="thread-line" href={`/chats/${chat_id}?thread=${thread.id}`}>
      <span class="thread-line-faces">
        {thread.last_replier_ids.toReversed().map((id) => (
          <PersonAvatar key={id} id={id} size="tiny" />
        ))}
      </span>
      <b>{messages.replies(thread.replies_count)}</b>
      {thread.unread_count > 0 && (
        <Count value={thread.unread_count} label={chats.unread(thread.unread_count)} />
      )}
      {thread.last_reply_at && (
        <span class="quiet">{messages.lastReply(formatMoment(thread.last_reply_at))}</span>
      )}
    </a>
  )
}
