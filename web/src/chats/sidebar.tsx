import { useComputed } from '@preact/signals'
import { memo } from 'preact/compat'
import { useRef } from 'preact/hooks'
import { useLocation } from 'preact-iso'
import { Self } from '../account/self.js'
import { FirstSteps } from '../frame/first-steps.js'
import { Bell } from '../notices/bell.js'
import { mutedChatIds } from '../notifications/actions.js'
import { words } from '../platform/i18n.js'
import { useNarrow } from '../platform/narrow.js'
import { state } from '../store.js'
import { ToolLink } from '../ui/button.js'
import { Count } from '../ui/count.js'
import { Icon, type IconName } from '../ui/icon.js'
import { FAVOURITES, Group, type GroupProps } from './group.js'
import { JumpButton } from './jump-button.js'
import { keepParts, type Listing, listingOf, totalUnread } from './listing.js'
import { Mark } from './mark.js'
import { nameNewSection } from './section-host.js'
import './sidebar.css'

/** Guests make no chats. */
const mayCreate = () => state.session.value?.may.includes('chats.create') ?? false

/** The list from top to bottom. */
function groupsOf(listing: Listing): Omit<GroupProps, 'current' | 'scroller'>[] {
  const { chats } = words()
  const usual = [
    ['chats', mayCreate() ? '/new' : null, chats.newChat],
    ['channels', '/browse', chats.browse],
    ['people', '/people', chats.writeSomebody],
  ] as const
  return [
    { name: FAVOURITES, title: chats.favourites, cards: listing.favourites },
    ...listing.sections.map(({ section, cards }) => ({
      name: `section:${section.id}`,
      title: section.name,
      cards,
      section,
    })),
    ...usual.map(([name, add_href, add_label]) => ({
      name,
      title: chats[name],
      cards: listing[name],
      ...(add_href === null ? {} : { add_href, add_label }),
    })),
  ]
}

export function Sidebar() {
  const { path } = useLocation()
  const last = useRef<Listing | null>(null)
  const listing = useComputed(() => {
    const { favourite_chat_ids, sections } = state.preferences.value
    last.current = keepParts(last.current, listingOf(state.chats.value, favourite_chat_ids, sections))
    return last.current
  }).value
  const { chats } = words()
  const narrow = useNarrow()
  const scroller = useRef<HTMLDivElement>(null)
  const current = Number(/^\/chats\/(\d+)/.exec(path)?.[1])
  return (
    <nav class="sidebar" aria-label={chats.list}>
      <SidebarHead narrow={narrow} />
      <div ref={scroller} class="sidebar-scroll scroll">
        <Places path={path} />
        {narrow && state.chats.value.size === 0 && <FirstDay />}
        {groupsOf(listing).map((group) => (
          <Group key={group.name} {...group} current={current} scroller={scroller} />
        ))}
        {state.chats.value.size > 0 && (
          <button type="button" class="add-section" onClick={() => nameNewSection()}>
            <Icon name="plus" size="sm" />
            {words().sections.add}
          </button>
        )}
      </div>
      <Foot />
    </nav>
  )
}

const Foot = memo(Self)

/** Not drawn again with every message, as the list is. */
const SidebarHead = memo(({ narrow }: { narrow: boolean }) => {
  const Place = narrow ? 'h1' : 'b'
  return (
    <>
      <div class="sidebar-head">
        <Mark />
        <Place class="sidebar-place">{state.session.value?.workspace.name}</Place>
        <Bell />
        <ToolLink href={mayCreate() ? '/new' : '/people'} icon="pen" label={words().chats.writeNew} />
      </div>
      <JumpButton />
    </>
  )
})

/** What the pane beside the list says on a wide screen. */
function FirstDay() {
  return (
    <div class="first-day">
      <p>{words().welcome.firstHint}</p>
      <FirstSteps />
    </div>
  )
}

const Places = memo(({ path }: { path: string }) => {
  const { chats } = words()
  const total = useComputed(() => totalUnread(state.chats.value, mutedChatIds.value))
  const unread = useComputed(() => total.value.unread).value
  // Who is written to may have the chat further down, out of sight.
  const isCalled = useComputed(() => total.value.mentions > 0).value
  const threads = state.counters.value.unread_threads
  return (
    <ul>
      <PlaceEntry href="/unread" icon="unread" name={chats.unreadPlace} path={path} bold={unread > 0}>
        {unread > 0 && (
          <Count
            value={unread}
            call={isCalled}
            label={isCalled ? chats.mentions(unread) : chats.unread(unread)}
          />
        )}
      </PlaceEntry>
      <PlaceEntry href="/threads" icon="thread" name={chats.threads} path={path} bold={threads > 0}>
        {threads > 0 && <Count value={threads} call label={chats.unread(threads)} />}
      </PlaceEntry>
      <PlaceEntry href="/later" icon="later" name={chats.later} path={path} />
      <PlaceEntry href="/tasks" icon="task" name={chats.tasks} path={path} />
    </ul>
  )
})

interface PlaceEntryProps {
  href: string
  icon: IconName
  name: string
  path: string
  bold?: boolean
  children?: preact.ComponentChildren
}

function PlaceEntry({ href, icon, name, path, bold = false, children }: PlaceEntryProps) {
  return (
    <li>
      <a
        class={`entry ${bold ? 'entry-unread' : ''}`}
        href={href}
        aria-current={path === href ? 'page' : undefined}
      >
        <Icon name={icon} />
        <span class="entry-name">{name}</span>
        {children}
      </a>
    </li>
  )
}
