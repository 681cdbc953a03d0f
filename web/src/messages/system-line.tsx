import type { TimelineMessage } from '@parley/contract'
import { listNames, personAt } from '../people/names.js'
import { formatTime } from '../platform/format.js'
import { words } from '../platform/i18n.js'

/** What somebody did to the chat, in the reader's language. */
export function SystemLine({ message }: { message: TimelineMessage }) {
  return (
    <p class="system-line" data-message={message.id}>
      {sentenceOf(message)} <time dateTime={message.created_at}>{formatTime(message.created_at)}</time>
    </p>
  )
}

function sentenceOf({ system_event: event, content }: TimelineMessage): string {
  if (!event) return content
  const say = words().system
  const actor = personAt(event.actor_id).name
  const named = event.name ?? ''
  const whom = listNames(event.user_ids, event.users_count)
  switch (event.kind) {
    case 'members_added':
      return say.members_added(actor, whom)
    case 'member_removed':
      return say.member_removed(actor, whom)
    case 'member_joined':
    case 'member_left':
      return say[event.kind](whom || actor)
    case 'chat_renamed':
    case 'tag_bound':
    case 'tag_unbound':
      return say[event.kind](actor, named)
    default:
      return say[event.kind](actor)
  }
}
