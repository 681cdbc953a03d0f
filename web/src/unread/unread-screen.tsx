import type { ChatCard } from '@parley/contract'
import { useState } from 'preact/hooks'
import { useLocation } from 'preact-iso'
import { iconOf, titleOf } from '../chats/entry.js'
import { Page } from '../frame/page.js'
import { plainText } from '../messages/text.js'
import { firstNameOf } from '../people/names.js'
import { PersonAvatar } from '../people/person-avatar.js'
import { call } from '../platform/api.js'
import { formatMoment } from '../platform/format.js'
import { words } from '../platform/i18n.js'
import { refusalText } from '../platform/refusal.js'
import { state } from '../store.js'
import { Button, ToolButton } from '../ui/button.js'
import { Count } from '../ui/count.js'
import { Empty } from '../ui/empty.js'
import { Icon } from '../ui/icon.js'
import { LinkTabs } from '../ui/link-tabs.js'
import { toast } from '../ui/toast.js'
import { Mentions } from './mentions.js'
import { unreadOf } from './unread.js'
import './unread.css'

const failed = (error: unknown) => toast(refusalText(error), { look: 'bad' })

/** Chats with something unread, and messages that name the person. */
export function UnreadScreen() {
  const { query } = useLocation()
  const named = query.show === 'mentions'
  const { unread } = words()
  const cards = unreadOf(state.chats.value)
  return (
    <Page
      title={unread.title}
      tools={<ReadAll any={cards.length > 0} />}
      tabs={
        <LinkTabs
          label={unread.title}
          links={[
            { href: '/unread', label: unread.chats, current: !named },
            { href: '/unread?show=mentions', label: unread.mentions, current: named },
          ]}
        />
      }
    >
      {named ? <Mentions /> : <UnreadChats cards={cards} />}
    </Page>
  )
}

function ReadAll({ any }: { any: boolean }) {
  const [busy, setBusy] = useState(false)
  const { unread } = words()
  async function readAll() {
    setBusy(true)
    await call('markAllRead').catch(failed)
    setBusy(false)
  }
  const nothing = !any && state.counters.value.unread_threads === 0
  return (
    <Button icon="check" class="button-short" busy={busy} disabled={nothing} onClick={() => void readAll()}>
      {unread.readAll}
    </Button>
  )
}

function UnreadChats({ cards }: { cards: readonly ChatCard[] }) {
  const { unread } = words()
  if (cards.length === 0) return <Empty icon="check" title={unread.none} text={unread.noneHint} />
  return (
    <ul class="unread-chats">
      {cards.map((card) => (
        <UnreadChat key={card.id} card={card} />
      ))}
    </ul>
  )
}

function UnreadChat({ card }: { card: ChatCard }) {
  const { unread, chats, messages } = words()
  const { last_message: last, personal_user_id } = card
  const calls = personal_user_id !== null || card.mention_count > 0
  const text = last && (plainText(last.content) || messages.files(last.files_count))
  return (
    <li class="unread-chat">
      <a class="unread-link" href={`/chats/${card.id}`}>
        {personal_user_id === null ? (
          <span class="unread-icon">
            <Icon name={iconOf(card)} />
          </span>
        ) : (
          <PersonAvatar id={personal_user_id} withPresence />
        )}
        <span class="unread-main">
          <span class="unread-head">
            <b>{titleOf(card)}</b>
            <time dateTime={card.last_message_at}>{formatMoment(card.last_message_at)}</time>
          </span>
          <span class="unread-text">
            {last && personal_user_id === null ? `${firstNameOf(last.user_id)}: ${text}` : text}
          </span>
        </span>
        <Count
          value={card.unread_count}
          call={calls}
          label={calls ? chats.mentions(card.unread_count) : chats.unread(card.unread_count)}
        />
      </a>
      <ToolButton
        icon="check"
        label={unread.read(titleOf(card))}
        onClick={() => void call('markChatRead', { params: { id: card.id }, body: {} }).catch(failed)}
      />
    </li>
  )
}
