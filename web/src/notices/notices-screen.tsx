import type { PersonalNotice } from '@parley/contract'
import { type NoticeSubject, noticePath } from '@parley/contract/notify'
import { useState } from 'preact/hooks'
import { attempt } from '../frame/attempt.js'
import { Page } from '../frame/page.js'
import { NotRead } from '../frame/waiting.js'
import { call } from '../platform/api.js'
import { formatMoment } from '../platform/format.js'
import { words } from '../platform/i18n.js'
import { useUntilAnswered } from '../platform/use-until-answered.js'
import { apply, state } from '../store.js'
import { Button } from '../ui/button.js'
import { Empty } from '../ui/empty.js'
import { Icon, type IconName } from '../ui/icon.js'
import './notices-screen.css'

interface Told extends NoticeSubject {
  text?: string
}

interface Read {
  notices: readonly PersonalNotice[]
  cursor: string | null
}

/** Notices to the person: tasks that are due, bots that stopped, exports that are ready. */
export function NoticesRoute() {
  const { notices: say } = words()
  const [read, setRead] = useState<Read | null>(null)
  const unread = state.counters.value.notices_unread

  async function load(from: Read | null) {
    const cursor = from?.cursor
    const { data, meta } = await call('listNotices', { query: { limit: 50, ...(cursor ? { cursor } : {}) } })
    const { has_next, next_page } = meta.paginate
    setRead({ notices: [...(from?.notices ?? []), ...data], cursor: has_next ? next_page : null })
    const newest = from ? undefined : data[0]
    if (!newest || newest.read_at) return
    // They stay marked as new on this screen until it is opened again.
    await call('readNotices', { body: { notice_id: newest.id } })
    apply({ type: 'notices_read' })
  }
  // Something new while the screen is open is shown at once.
  const waiting = useUntilAnswered(() => (read === null || unread > 0 ? load(null) : null), [unread])

  return (
    <Page title={say.title}>
      {read === null && <NotRead {...waiting} />}
      {read?.notices.length === 0 && <Empty icon="bell" title={say.none} text={say.noneText} />}
      <ul>
        {read?.notices.map((notice) => (
          <NoticeRow key={notice.id} notice={notice} />
        ))}
      </ul>
      {read?.cursor && <Button onClick={() => void attempt(() => load(read))}>{say.older}</Button>}
    </Page>
  )
}

function NoticeRow({ notice }: { notice: PersonalNotice }) {
  const { notices: say } = words()
  const told = notice.payload as Told
  const kinds: Readonly<Record<string, string>> = say.kinds
  const content = (
    <>
      <Icon name={iconOf(told)} />
      <span class="row-main">
        <span class="notice-kind">{kinds[notice.kind] ?? say.other}</span>
        <span class="notice-text">{told.text}</span>
        <time class="row-about" dateTime={notice.created_at}>
          {formatMoment(notice.created_at)}
        </time>
      </span>
      {!notice.read_at && (
        <span class="notice-new">
          <span class="only-heard">{say.new}</span>
        </span>
      )}
    </>
  )
  const path = noticePath(told)
  return (
    <li>
      {path ? (
        <a class="row" href={path}>
          {content}
        </a>
      ) : (
        <div class="row">{content}</div>
      )}
    </li>
  )
}

function iconOf({ task_id, bot_id, export_id, draft_id }: Told): IconName {
  if (task_id) return 'task'
  if (bot_id) return 'bot'
  if (export_id) return 'save'
  return draft_id ? 'later' : 'bell'
}
