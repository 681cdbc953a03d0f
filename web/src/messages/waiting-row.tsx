import type { MessageCreateRequest } from '@parley/contract'
import { personAt } from '../people/names.js'
import { PersonAvatar } from '../people/person-avatar.js'
import { today } from '../platform/day.js'
import { dayOf, formatLength, formatMoment } from '../platform/format.js'
import { words } from '../platform/i18n.js'
import { connection } from '../platform/live.js'
import { discard, retry, type Waiting } from '../platform/outbox.js'
import { state } from '../store.js'
import { Icon } from '../ui/icon.js'
import { takeBack } from './actions.js'
import { fileName } from './file-name.js'
import { Gutter } from './message.js'
import { Text } from './text.js'
import './waiting-row.css'

/** An own message that the server has not answered yet. */
export function WaitingRow({ entry, first }: { entry: Waiting; first: boolean }) {
  const me = state.session.value?.user.id ?? 0
  // Beside the text there is place for the hour alone.
  const named = first || dayOf(entry.made_at) !== dayOf(today())
  const { message } = (entry.input as unknown as { body: MessageCreateRequest }).body
  return (
    <article
      class={`message waiting ${named ? 'message-first' : ''} ${entry.state === 'failed' ? 'waiting-failed' : ''}`}
    >
      {named ? <PersonAvatar id={me} /> : <Gutter at={entry.made_at} />}
      <div class="message-main">
        {named && (
          <div class="byline">
            <b>{personAt(me).name}</b>
            <time dateTime={entry.made_at}>{formatMoment(entry.made_at)}</time>
          </div>
        )}
        {message.content && <Text content={message.content} />}
        {message.files?.map(({ key, name, file_type, duration_ms = 0 }) => (
          <p key={key} class="waiting-file">
            <Icon name={file_type === 'voice' ? 'mic' : 'file'} size="sm" />
            {file_type === 'voice' ? formatLength(duration_ms) : fileName(name)}
          </p>
        ))}
        <SendState entry={entry} hasText={Boolean(message.content)} />
      </div>
    </article>
  )
}

function SendState({ entry, hasText }: { entry: Waiting; hasText: boolean }) {
  const { messages, common } = words()
  if (entry.state === 'failed')
    return (
      <span class="send-state" role="status">
        <Icon name="warn" size="sm" />
        {messages.notSent(
          messages.refusals[entry.code as keyof typeof messages.refusals] ?? messages.refusals.unknown,
        )}
        <button type="button" onClick={() => retry(entry.key)}>
          {common.retry}
        </button>
        {hasText && (
          <button type="button" onClick={() => void takeBack(entry)}>
            {common.edit}
          </button>
        )}
        <button type="button" onClick={() => void discard(entry.key)}>
          {common.delete}
        </button>
      </span>
    )
  if (connection.value === 'online') return null
  return (
    <span class="send-state" role="status">
      <Icon name="clock" size="sm" />
      {messages.waiting}
    </span>
  )
}
