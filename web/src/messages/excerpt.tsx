import type { Message } from '@parley/contract'
import type { ComponentChildren } from 'preact'
import { titleOf } from '../chats/entry.js'
import { personAt } from '../people/names.js'
import { PersonAvatar } from '../people/person-avatar.js'
import { formatMoment } from '../platform/format.js'
import { words } from '../platform/i18n.js'
import { state } from '../store.js'
import { plainText } from './text.js'
import './excerpt.css'

/** Where a message is read in its surroundings. */
export function contextOf(message: Pick<Message, 'id' | 'entity_type' | 'entity_id' | 'root_chat_id'>) {
  const chat = `/chats/${message.root_chat_id}`
  return message.entity_type === 'thread'
    ? `${chat}?thread=${message.entity_id}&reply=${message.id}`
    : `${chat}?message=${message.id}`
}

interface ExcerptProps {
  message: Message
  /** Instead of the text as it is. */
  text?: ComponentChildren
  /** Leaves the chat out where all are of one chat. */
  inOneChat?: boolean
}

/** A message in a list away from its chat; leads to it. */
export function Excerpt({ message, text, inOneChat = false }: ExcerptProps) {
  const { messages } = words()
  const card = state.chats.value.get(message.root_chat_id)
  const name = message.display_name || personAt(message.user_id).name
  return (
    <a class="excerpt" href={contextOf(message)}>
      <PersonAvatar id={message.user_id} />
      <span class="excerpt-main">
        <span class="excerpt-head">
          <b>{name}</b>
          {!inOneChat && card && <span class="excerpt-chat">{titleOf(card)}</span>}
          <time dateTime={message.created_at}>{formatMoment(message.created_at)}</time>
        </span>
        <span class="excerpt-text">
          {text ?? (plainText(message.content) || messages.files(message.files.length))}
        </span>
      </span>
    </a>
  )
}

/** Up and down walk among the entries of a list. */
export function moveAmongLinks(event: KeyboardEvent) {
  if (event.key !== 'ArrowUp' && event.key !== 'ArrowDown') return
  const all = [...(event.currentTarget as HTMLElement).querySelectorAll<HTMLElement>('a.excerpt')]
  const at = all.indexOf(document.activeElement as HTMLElement)
  if (at < 0) return
  event.preventDefault()
  all[at + (event.key === 'ArrowUp' ? -1 : 1)]?.focus()
}
