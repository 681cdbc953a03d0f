import type { TimelineMessage } from '@parley/contract'
import { personAt } from '../people/names.js'
import { words } from '../platform/i18n.js'
import { Icon } from '../ui/icon.js'
import { Choices } from './choices.js'
import { Files } from './files.js'
import { LinkPreviews } from './link-previews.js'
import { Quote } from './quote.js'
import { ReactionBar } from './reaction-bar.js'
import { Text } from './text.js'
import { ThreadLine } from './thread-line-view.js'

function Forwarded({ author_id }: { author_id: number }) {
  return (
    <span class="forwarded">
      <Icon name="forward" size="sm" />
      {words().media.forwardedFrom(personAt(author_id).name)}
    </span>
  )
}

/** Everything of a message below the name of its author. */
export function MessageBody({ message }: { message: TimelineMessage }) {
  const edited = message.edited ? <span class="edited"> ({words().messages.edited})</span> : null
  return (
    <>
      {message.forwarding && <Forwarded author_id={message.forwarding.author_id} />}
      {message.quoted && <Quote quoted={message.quoted} chat_id={message.chat_id} />}
      {message.content !== '' && <Text content={message.content} after={edited} />}
      <Files files={message.files} voice={message.voice_content} />
      <LinkPreviews previews={message.link_previews} />
      {message.buttons && <Choices message={message} rows={message.buttons} />}
      <ReactionBar message={message} />
      {message.thread && message.thread.replies_count > 0 && (
        <ThreadLine chat_id={message.chat_id} thread={message.thread} />
      )}
    </>
  )
}
