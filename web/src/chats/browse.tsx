import type { ChatMatch } from '@parley/contract'
import { useState } from 'preact/hooks'
import { useLocation } from 'preact-iso'
import { attempt } from '../frame/attempt.js'
import { Page } from '../frame/page.js'
import { ListEnd } from '../frame/waiting.js'
import { call } from '../platform/api.js'
import { words } from '../platform/i18n.js'
import { navigate } from '../platform/navigate.js'
import { nextOf } from '../platform/pages.js'
import { usePages } from '../platform/use-pages.js'
import { state } from '../store.js'
import { Button } from '../ui/button.js'
import { Empty } from '../ui/empty.js'
import { Icon } from '../ui/icon.js'
import { LinkTabs } from '../ui/link-tabs.js'
import { SearchField } from '../ui/search-field.js'
import { joinChat } from './actions.js'
import { iconOf } from './entry.js'

/** Nobody hears of chats that they are not in. */
const AGAIN_AFTER_MS = 30_000

/** Open or archived chats by name; without one all of them, those with the latest messages first. */
const findChats =
  (which: { open: true } | { archived: true }) =>
  async (query: string, cursor: string | null, signal: AbortSignal) => {
    const asked = { query, ...which, limit: 50, ...(cursor ? { cursor } : {}) }
    const { data, meta } = await call('lookUpChats', { query: asked, signal })
    return { items: data, next: nextOf(meta) }
  }
const findOpen = findChats({ open: true })
const findArchived = findChats({ archived: true })

/** Open chats to join; `?show=archived` has the own ones that were archived. */
export function BrowseRoute() {
  const { browse, chats, common } = words()
  const [text, setText] = useState('')
  const archived = useLocation().query.show === 'archived'
  const pages = usePages(text, archived ? findArchived : findOpen, ({ id }) => id, [archived], {
    revision: state.chatRevision.value + state.peopleRevision.value,
    pause_ms: () => AGAIN_AFTER_MS,
  })
  const { items } = pages
  const mayCreate = state.session.value?.may.includes('chats.create') ?? false
  return (
    <Page
      title={browse.title}
      tools={
        mayCreate && (
          <a class="button button-plain" href="/new">
            <Icon name="plus" size="sm" />
            {chats.newChat}
          </a>
        )
      }
      tabs={
        <LinkTabs
          label={browse.title}
          links={[
            { href: '/browse', label: browse.title, current: !archived },
            { href: '/browse?show=archived', label: browse.archived, current: archived },
          ]}
        />
      }
    >
      <SearchField label={browse.field} value={text} onText={setText} />
      {items?.length === 0 && text !== '' && (
        <Empty icon="search" title={common.nothingFound} text={browse.noneNamed} />
      )}
      {items?.length === 0 && text === '' && (
        <Empty
          icon={archived ? 'archive' : 'channel'}
          title={archived ? browse.noneArchived : browse.none}
          text={archived ? browse.noneArchivedHint : browse.noneHint}
        />
      )}
      <ul class="rows">
        {items?.map((chat) => (
          <OpenChat key={chat.id} chat={chat} />
        ))}
      </ul>
      <ListEnd {...pages} />
    </Page>
  )
}

function OpenChat({ chat }: { chat: ChatMatch }) {
  const { browse, chats, common } = words()
  const [busy, setBusy] = useState(false)
  const card = state.chats.value.get(chat.id)
  const member = card ? card.my_role !== null : chat.member
  const join = async () => {
    setBusy(true)
    if (await attempt(() => joinChat(chat.id))) navigate(`/chats/${chat.id}`)
    setBusy(false)
  }
  return (
    <li class="row">
      <Icon name={iconOf(chat)} />
      <a class="row-main" href={`/chats/${chat.id}`}>
        <span class="row-name">{chat.name}</span>
        <span class="row-about">{common.people(chat.members_count)}</span>
      </a>
      {member ? (
        <span class="quiet">{browse.joined}</span>
      ) : (
        <Button busy={busy} aria-label={browse.joinChat(chat.name)} onClick={() => void join()}>
          {chats.join}
        </Button>
      )}
    </li>
  )
}
