import { useComputed } from '@preact/signals'
import { useLocation } from 'preact-iso'
import { totalUnread } from '../chats/listing.js'
import { mutedChatIds } from '../notifications/actions.js'
import { words } from '../platform/i18n.js'
import { state } from '../store.js'
import { Count } from '../ui/count.js'
import { Icon, type IconName } from '../ui/icon.js'
import './bottom-tabs.css'

/** The parts of Parley on a narrow screen, below the list. */
export function BottomTabs() {
  const { path } = useLocation()
  const { chats, common } = words()
  const mentions = useComputed(() => totalUnread(state.chats.value, mutedChatIds.value).mentions).value
  const threads = state.counters.value.unread_threads
  const tabs: readonly [href: string, icon: IconName, label: string, count: number, said: string][] = [
    ['/', 'chat', chats.chats, mentions, chats.mentions(mentions)],
    ['/threads', 'thread', chats.threads, threads, chats.unread(threads)],
    ['/search', 'search', common.search, 0, ''],
    ['/settings/profile', 'you', chats.you, 0, ''],
  ]
  return (
    <nav class="bottom-tabs" aria-label={chats.parts}>
      {tabs.map(([href, icon, label, count, said]) => (
        <a key={href} href={href} aria-current={path === href ? 'page' : undefined}>
          <Icon name={icon} />
          {label}
          {count > 0 && <Count value={count} call label={said} />}
        </a>
      ))}
    </nav>
  )
}
