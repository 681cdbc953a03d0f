import type { TimelineMessage } from '@parley/contract'
import { type Signal, useComputed } from '@preact/signals'
import { personAt } from '../people/names.js'
import { PersonAvatar } from '../people/person-avatar.js'
import { showPerson } from '../people/person-card.js'
import { formatTime } from '../platform/format.js'
import { words } from '../platform/i18n.js'
import { Avatar } from '../ui/avatar.js'
import { MessageActions } from './actions-bar.js'
import { MessageBody } from './body.js'
import { ownPicture } from './links.js'
import './message.css'

/** A name of so many letters is never cut off, on a phone neither. */
const SHORT_NAME = 24

interface MessageRowProps {
  message: TimelineMessage
  /** Shows the author; the following ones of the same author do not. */
  first: boolean
  /** Jumped to, and marked for a moment. */
  marked?: boolean
  /** The message under the pointer or the focus, where there is something to do with it. */
  active?: Signal<number | null>
}

export function MessageRow({ message, first, marked = false, active: shown }: MessageRowProps) {
  const { id } = message
  const active = useComputed(() => shown?.value === id).value
  const onActive = (now: number | null) => {
    if (shown) shown.value = now
  }
  const classes = ['message']
  if (first) classes.push('message-first')
  if (message.mentioned && !message.deleted_at) classes.push('message-calls')
  if (marked) classes.push('message-marked')
  if (active) classes.push('message-active')
  return (
    <article
      class={classes.join(' ')}
      data-message={message.id}
      aria-label={`${authorOf(message).name}, ${formatTime(message.created_at)}`}
      tabIndex={active ? 0 : -1}
      onPointerEnter={() => onActive(id)}
      onPointerLeave={() => onActive(null)}
      onFocus={() => onActive(id)}
    >
      {first ? <AuthorAvatar message={message} /> : <Gutter at={message.created_at} />}
      <div class="message-main">
        {first && <Byline message={message} />}
        {message.deleted_at ? (
          <p class="message-gone">{words().messages.deleted}</p>
        ) : (
          <MessageBody message={message} />
        )}
      </div>
      {active && !message.deleted_at && <MessageActions message={message} />}
    </article>
  )
}

/** Bots may speak under another name. */
function authorOf(message: TimelineMessage) {
  const person = personAt(message.user_id)
  return message.display_name ? { ...person, name: message.display_name } : person
}

function AuthorAvatar({ message }: { message: TimelineMessage }) {
  const picture = message.display_avatar_url ? ownPicture(message.display_avatar_url) : null
  if (!picture) return <PersonAvatar id={message.user_id} />
  return <Avatar id={message.user_id} name={authorOf(message).name} image_url={picture} bot />
}

export function Gutter({ at }: { at: string }) {
  return (
    <span class="message-gutter" aria-hidden="true">
      {formatTime(at)}
    </span>
  )
}

function Byline({ message }: { message: TimelineMessage }) {
  const { name, bot, status } = authorOf(message)
  return (
    <div class="byline">
      <button
        type="button"
        class={`byline-name ${name.length > SHORT_NAME ? 'byline-long' : ''}`}
        onClick={({ currentTarget }) => showPerson(message.user_id, currentTarget)}
      >
        {name}
      </button>
      {bot && <span class="byline-role">{words().messages.bot}</span>}
      {status && <span title={status.title}>{status.emoji}</span>}
      <time dateTime={message.created_at}>{formatTime(message.created_at)}</time>
      {message.pinned && <span class="byline-pin">{words().messages.pinned}</span>}
    </div>
  )
}
