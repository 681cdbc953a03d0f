import type { Mention } from '@parley/contract'
import { useEffect, useState } from 'preact/hooks'
import { MoreButton, Reading, ReadingFailed } from '../frame/waiting.js'
import { Excerpt, moveAmongLinks } from '../messages/excerpt.js'
import { call } from '../platform/api.js'
import { words } from '../platform/i18n.js'
import { refusalText } from '../platform/refusal.js'
import { apply, state } from '../store.js'
import { Empty } from '../ui/empty.js'

/** Messages that name the person, newest first. */
export function Mentions() {
  const [items, setItems] = useState<readonly Mention[] | null>(null)
  const [next, setNext] = useState<string | null>(null)
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState<string | null>(null)
  const { unread } = words()
  // Another mention anywhere is a reason to read them again.
  const calls = [...state.chats.value.values()].reduce((sum, { mention_count }) => sum + mention_count, 0)

  async function read(cursor: string | null = null) {
    setBusy(true)
    setError(null)
    try {
      const query = { limit: 30, ...(cursor === null ? {} : { cursor }) }
      const { data, people, meta } = await call('listMentions', { query })
      apply({ type: 'people', people })
      setItems((known) => [...((cursor !== null && known) || []), ...data])
      setNext(meta.paginate.has_next ? meta.paginate.next_page : null)
    } catch (failure) {
      setError(refusalText(failure))
    }
    setBusy(false)
  }
  useEffect(() => void read(), [calls])

  if (error && !items) return <ReadingFailed text={error} onRetry={() => void read()} />
  if (!items) return <Reading />
  if (items.length === 0) return <Empty icon="at" title={unread.noMentions} text={unread.noMentionsHint} />
  return (
    <>
      <ul class="unread-mentions" aria-label={unread.mentions} onKeyDown={moveAmongLinks}>
        {items.map(({ message }) => (
          <li key={message.id}>
            <Excerpt message={message} />
          </li>
        ))}
      </ul>
      {next && <MoreButton busy={busy} onMore={() => void read(next)} />}
    </>
  )
}
