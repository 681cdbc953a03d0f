import type { TimelineMessage } from '@parley/contract'
import { plainText } from '../messages/text.js'
import { personAt } from '../people/names.js'
import { words } from '../platform/i18n.js'
import { ToolButton } from '../ui/button.js'
import { Icon } from '../ui/icon.js'
import type { Quoted } from './use-quoted.js'

/** Says that the text answers a message, or changes one. */
export function About({
  quoted,
  edited,
  onLeave,
}: {
  quoted: Quoted | null
  edited: TimelineMessage | null
  onLeave(): void
}) {
  const message = edited ?? quoted
  if (!message) return null
  const { composer, common } = words()
  return (
    <div class="composer-about">
      <Icon name={edited ? 'edit' : 'reply'} size="sm" />
      <b>{edited ? composer.editing : personAt(message.user_id).name}</b>
      <span class="composer-about-text">{plainText(message.content)}</span>
      <ToolButton icon="close" size="sm" label={common.cancel} onClick={onLeave} />
    </div>
  )
}
