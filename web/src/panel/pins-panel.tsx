import type { ChatCard, Message } from '@parley/contract'
import { useState } from 'preact/hooks'
import { attempt } from '../frame/attempt.js'
import { ListEnd } from '../frame/waiting.js'
import { plainText } from '../messages/text.js'
import { readPeopleOf } from '../people/actions.js'
import { personAt } from '../people/names.js'
import { PersonAvatar } from '../people/person-avatar.js'
import { call } from '../platform/api.js'
import { formatMoment } from '../platform/format.js'
import { words } from '../platform/i18n.js'
import { nextOf } from '../platform/pages.js'
import { usePages } from '../platform/use-pages.js'
import { state } from '../store.js'
import { ToolButton } from '../ui/button.js'
import { Empty } from '../ui/empty.js'
import './pins-panel.css'

async function readPins(id: number, cursor: string | null, signal: AbortSignal) {
  const query = { limit: 50, ...(cursor ? { cursor } : {}) }
  const { data, meta } = await call('listPins', { params: { id }, query, signal })
  await readPeopleOf(data.map(({ user_id }) => user_id))
  return { items: data, next: nextOf(meta) }
}

export function PinsPanel({ card }: { card: ChatCard }) {
  const { panels } = words()
  // Grows when something was unpinned here.
  const [version, setVersion] = useState(0)
  const pages = usePages(
    '',
    (_, cursor, signal) => readPins(card.id, cursor, signal),
    ({ id }) => id,
    [card.id, version],
    { revision: state.pinRevision.value },
  )
  const { items } = pages
  if (items?.length === 0) return <Empty icon="pin" title={panels.noPins} text={panels.noPinsText} />
  return (
    <>
      <ul class="pins">
        {items?.map((pin) => (
          <Pin key={pin.id} card={card} pin={pin} onUnpinned={() => setVersion((last) => last + 1)} />
        ))}
      </ul>
      <ListEnd {...pages} />
    </>
  )
}

function Pin({ card, pin, onUnpinned }: { card: ChatCard; pin: Message; onUnpinned(): void }) {
  const { messages, common } = words()
  const may = card.may.includes('pin')
  const unpin = async () => {
    if (await attempt(() => call('unpinMessage', { params: { id: pin.id } }))) onUnpinned()
  }
  return (
    <li class="pin">
      <a href={`/chats/${card.id}?message=${pin.id}&panel=pins`}>
        <span class="pin-head">
          <PersonAvatar id={pin.user_id} size="tiny" />
          <b>{pin.display_name ?? personAt(pin.user_id).name}</b>
          <time class="quiet" dateTime={pin.created_at}>
            {formatMoment(pin.created_at)}
          </time>
        </span>
        <span class="pin-text">{plainText(pin.content) || messages.files(pin.files.length)}</span>
      </a>
      <ToolButton
        icon="close"
        label={may ? messages.unpin : common.notAllowed}
        disabled={!may}
        onClick={() => void unpin()}
      />
    </li>
  )
}
