import type { ThreadInboxItem } from '@parley/contract'
import { useEffect, useState } from 'preact/hooks'
import { titleOf } from '../chats/entry.js'
import { useCard } from '../chats/use-card.js'
import { Page } from '../frame/page.js'
import { MoreButton, Reading, ReadingFailed } from '../frame/waiting.js'
import { MessageRow } from '../messages/message.js'
import { formatMoment } from '../platform/format.js'
import { words } from '../platform/i18n.js'
import { refusalText } from '../platform/refusal.js'
import { useChanged, useThrottled } from '../platform/use-later.js'
import { state } from '../store.js'
import { Button } from '../ui/button.js'
import { Count } from '../ui/count.js'
import { Empty } from '../ui/empty.js'
import { toast } from '../ui/toast.js'
import { followThread, readThreadInbox } from './actions.js'
import './threads-screen.css'

/** Replies that come together are read together. */
const READ_AFTER_MS = 1000

/** Threads that the person follows, with their last replies. */
export function ThreadsScreen() {
  const { items, next, revision } = state.threadInbox.value
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState<string | null>(null)
  const { threads } = words()

  async function read(cursor: string | null = null) {
    setBusy(true)
    setError(null)
    await readThreadInbox(cursor).catch((failure) => setError(refusalText(failure)))
    setBusy(false)
  }
  const missing = items === null
  // What is known is shown at once, and replaced by what the server says now.
  useEffect(() => {
    if (!missing) void read()
  }, [])
  // It may also be forgotten while it is shown: when everything is read anew after a gap in the stream.
  useEffect(() => {
    if (missing) void read()
  }, [missing])

  const readSoon = useThrottled(READ_AFTER_MS, () => void readThreadInbox().catch(() => {}))
  useChanged(revision, readSoon)

  return (
    <Page title={threads.inbox}>
      {error && !items && <ReadingFailed text={error} onRetry={() => void read()} />}
      {!items && !error && <Reading />}
      {items?.length === 0 && <Empty icon="thread" title={threads.none} text={threads.noneHint} />}
      {items?.map((item) => (
        <ThreadCard key={item.thread.id} item={item} />
      ))}
      {next && items && <MoreButton busy={busy} onMore={() => void read(next)} />}
    </Page>
  )
}

function ThreadCard({ item: { thread, parent, last_replies } }: { item: ThreadInboxItem }) {
  const { threads, chats } = words()
  const card = useCard(thread.root_chat_id)
  const title = card ? titleOf(card) : threads.thread
  const address = `/chats/${thread.root_chat_id}?thread=${thread.id}`
  const hidden = thread.replies_count - last_replies.length
  return (
    <article class="thread-card" aria-label={title}>
      <header class="thread-card-head">
        <a href={address}>
          <b>{title}</b>
        </a>
        {thread.unread_count > 0 && (
          <Count value={thread.unread_count} call label={chats.unread(thread.unread_count)} />
        )}
        {thread.last_reply_at && (
          <time dateTime={thread.last_reply_at}>{formatMoment(thread.last_reply_at)}</time>
        )}
      </header>
      {parent && <MessageRow message={{ ...parent, thread: null }} first />}
      {hidden > 0 && (
        <a class="thread-card-hidden" href={address}>
          {threads.earlier(hidden)}
        </a>
      )}
      {last_replies.map((reply) => (
        <MessageRow key={reply.id} message={reply} first />
      ))}
      <footer class="thread-card-foot">
        <a class="button button-plain" href={address}>
          {threads.open}
        </a>
        <FollowButton thread_id={thread.id} following={thread.following} />
      </footer>
    </article>
  )
}

function FollowButton({ thread_id, following }: { thread_id: number; following: boolean }) {
  const { threads } = words()
  return (
    <Button
      look="quiet"
      icon={following ? 'mute' : 'bell'}
      onClick={() =>
        void followThread(thread_id, !following).catch((error) => toast(refusalText(error), { look: 'bad' }))
      }
    >
      {following ? threads.unfollow : threads.follow}
    </Button>
  )
}
