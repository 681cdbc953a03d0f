import type { ChatMatch } from '@parley/contract'
import { useState } from 'preact/hooks'
import { attempt } from '../frame/attempt.js'
import { Page } from '../frame/page.js'
import { call } from '../platform/api.js'
import { words } from '../platform/i18n.js'
import { navigate } from '../platform/navigate.js'
import { useLookUp } from '../platform/use-look-up.js'
import { state } from '../store.js'
import { Button } from '../ui/button.js'
import { Empty } from '../ui/empty.js'
import { Icon } from '../ui/icon.js'
import { joinChat } from './actions.js'
import { iconOf } from './entry.js'

/** Open chats by name; without one all of them, those with the latest messages first. */
async function findOpen(query: string, signal: AbortSignal): Promise<ChatMatch[]> {
  if (query !== '') {
    const { data } = await call('lookUpChats', { query: { query, limit: 50 }, signal })
    return data.filter((chat) => chat.public)
  }
  const { data } = await call('listChats', {
    query: { availability: 'public', sort: 'last_message_at', limit: 50 },
    signal,
  })
  const me = state.session.peek()?.user.id ?? 0
  return data.map(({ id, name, channel, member_ids }) => ({
    id,
    name,
    kind: channel ? 'channel' : 'conversation',
    public: true,
    personal_user_id: null,
    member: member_ids.includes(me),
    members_count: member_ids.length,
  }))
}

export function BrowseRoute() {
  const { browse, chats, common } = words()
  const [text, setText] = useState('')
  const { found, failed } = useLookUp(text, findOpen)
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
    >
      <input
        class="input"
        type="search"
        aria-label={browse.field}
        placeholder={browse.field}
        value={text}
        onInput={({ currentTarget }) => setText(currentTarget.value)}
      />
      {failed && (
        <p class="quiet" role="alert">
          {common.failed}
        </p>
      )}
      {found === null && !failed && (
        <p class="quiet" role="status">
          {common.loading}
        </p>
      )}
      {found?.length === 0 && (
        <Empty
          icon="search"
          title={common.nothingFound}
          text={text === '' ? browse.none : browse.noneNamed}
        />
      )}
      <ul class="rows">
        {found?.map((chat) => (
          <OpenChat key={chat.id} chat={chat} />
        ))}
      </ul>
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
        <span class="row-about">{common.people(card?.members_count ?? chat.members_count)}</span>
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
