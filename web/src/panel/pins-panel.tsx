import type { ChatCard, Message } from '@parley/contract'
import { useEffect, useState } from 'preact/hooks'
import { attempt } from '../frame/attempt.js'
import { plainText } from '../messages/text.js'
import { personAt } from '../people/names.js'
import { PersonAvatar } from '../people/person-avatar.js'
import { call } from '../platform/api.js'
import { formatMoment } from '../platform/format.js'
import { words } from '../platform/i18n.js'
import { state } from '../store.js'
import { ToolButton } from '../ui/button.js'
import { Empty } from '../ui/empty.js'
import './pins-panel.css'

/** Pins that the loaded messages know of; when they change, the list is read again. */
function pinsKnown(chatId: number): string {
  const run = state.messages.value.get(chatId)
  return run?.messages.flatMap(({ id, pinned }) => (pinned ? [id] : [])).join() ?? ''
}

export function PinsPanel({ card }: { card: ChatCard }) {
  const { panels, common } = words()
  const [pins, setPins] = useState<readonly Message[] | null>(null)
  useEffect(
    () => void attempt(async () => setPins((await call('listPins', { params: { id: card.id } })).data)),
    [card.id, pinsKnown(card.id)],
  )
  const unpin = async (id: number) => {
    if (await attempt(() => call('unpinMessage', { params: { id } })))
      setPins((known) => known?.filter((pin) => pin.id !== id) ?? null)
  }
  if (pins === null)
    return (
      <p class="quiet" role="status">
        {common.loading}
      </p>
    )
  if (pins.length === 0) return <Empty icon="pin" title={panels.noPins} text={panels.noPinsText} />
  return (
    <ul class="pins">
      {pins.map((pin) => (
        <li key={pin.id} class="pin">
          <a href={`/chats/${card.id}?message=${pin.id}&panel=pins`}>
            <span class="pin-head">
              <PersonAvatar id={pin.user_id} size="tiny" />
              <b>{pin.display_name ?? personAt(pin.user_id).name}</b>
              <time class="quiet" dateTime={pin.created_at}>
                {formatMoment(pin.created_at)}
              </time>
            </span>
            <span class="pin-text">{plainText(pin.content) || words().messages.files(pin.files.length)}</span>
          </a>
          {card.may.includes('pin') && (
            <ToolButton icon="close" label={words().messages.unpin} onClick={() => void unpin(pin.id)} />
          )}
        </li>
      ))}
    </ul>
  )
}
