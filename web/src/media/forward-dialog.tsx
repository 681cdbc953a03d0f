import type { TimelineMessage } from '@parley/contract'
import { signal } from '@preact/signals'
import { useState } from 'preact/hooks'
import { iconOf, titleOf } from '../chats/entry.js'
import { plainText } from '../messages/text.js'
import { PersonAvatar } from '../people/person-avatar.js'
import { call } from '../platform/api.js'
import { words } from '../platform/i18n.js'
import { navigate } from '../platform/navigate.js'
import { refusalText } from '../platform/refusal.js'
import { state } from '../store.js'
import { Combobox } from '../ui/combobox.js'
import { Dialog } from '../ui/dialog.js'
import { Icon } from '../ui/icon.js'
import { toast } from '../ui/toast.js'
import './panels.css'

/** The message that is being forwarded. */
export const forwarding = signal<TimelineMessage | null>(null)

const close = () => {
  forwarding.value = null
}

async function forward(message: TimelineMessage, chatId: number) {
  close()
  const { media, messages } = words()
  try {
    await call('forwardMessage', { params: { id: message.id }, body: { entity_id: chatId } })
    toast(media.forwarded, { action: { label: messages.open, run: () => navigate(`/chats/${chatId}`) } })
  } catch (error) {
    toast(refusalText(error), { look: 'bad' })
  }
}

/** Chooses the chat that a message is forwarded to. */
export function ForwardHost() {
  const [text, setText] = useState('')
  const message = forwarding.value
  if (!message) return null
  const { media, common, messages } = words()
  const wanted = text.trim().toLocaleLowerCase()
  const items = [...state.chats.value.values()]
    .filter((card) => card.kind !== 'thread' && card.may.includes('write'))
    .filter((card) => titleOf(card).toLocaleLowerCase().includes(wanted))
    .slice(0, 10)
  return (
    <Dialog title={media.forward} closeLabel={common.close} onClose={close}>
      <div class="forward">
        <p class="forward-text">{plainText(message.content) || messages.files(message.files.length)}</p>
        <Combobox
          label={media.forwardTo}
          placeholder={media.forwardTo}
          autofocus
          items={items}
          empty={common.nothingFound}
          keyOf={({ id }) => id}
          draw={(card) => (
            <>
              {card.personal_user_id === null ? (
                <Icon name={iconOf(card)} />
              ) : (
                <PersonAvatar id={card.personal_user_id} size="small" />
              )}
              <span class="option-name">{titleOf(card)}</span>
            </>
          )}
          onSearch={setText}
          onChoose={(card) => void forward(message, card.id)}
        />
      </div>
    </Dialog>
  )
}
