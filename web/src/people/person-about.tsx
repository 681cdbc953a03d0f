import type { PersonCard } from '@parley/contract'
import { formatMoment, formatTimeIn } from '../platform/format.js'
import { words } from '../platform/i18n.js'
import { state } from '../store.js'
import { PersonAvatar } from './person-avatar.js'
import './person-about.css'

/** Who somebody is: picture, name, title, status, whether they are here, and what time it is for them. */
export function PersonAbout({ person }: { person: PersonCard }) {
  const { people, chats, messages } = words()
  const here = state.presence.value.get(person.id) ?? 'offline'
  const zone = person.time_zone ?? state.session.value?.workspace.time_zone
  const { status } = person
  return (
    <div class="person-about">
      <PersonAvatar id={person.id} size="large" withPresence />
      <div class="person-facts">
        <b class="person-name">{person.name}</b>
        <span class="quiet">@{person.nickname}</span>
        {person.title && <span>{person.title}</span>}
        <span class="quiet">
          {person.bot ? messages.bot : chats.presence[here]}
          {zone && !person.bot && ` · ${people.localTime(formatTimeIn(zone))}`}
        </span>
        {status && (
          <span>
            {status.emoji} {status.title}
            {status.expires_at && <span class="quiet"> {people.until(formatMoment(status.expires_at))}</span>}
          </span>
        )}
      </div>
    </div>
  )
}
