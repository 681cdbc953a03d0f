import type { Message } from '@parley/contract'
import { useEffect, useState } from 'preact/hooks'
import { PaneHead } from '../frame/pane-head.js'
import { Reading, ReadingFailed } from '../frame/waiting.js'
import { Excerpt, moveAmongLinks } from '../messages/excerpt.js'
import { readPeopleOf } from '../people/actions.js'
import { call } from '../platform/api.js'
import { words } from '../platform/i18n.js'
import { useNarrow } from '../platform/narrow.js'
import { refusalText } from '../platform/refusal.js'
import { state } from '../store.js'
import { ToolButton, ToolLink } from '../ui/button.js'
import { Empty } from '../ui/empty.js'
import { toast } from '../ui/toast.js'
import './panels.css'

/** The pinned messages of a chat, beside it. */
export function PinsPane({ chat_id }: { chat_id: number }) {
  const [pins, setPins] = useState<readonly Message[] | null>(null)
  const narrow = useNarrow()
  const [error, setError] = useState<string | null>(null)
  const { media } = words()
  const run = state.messages.value.get(chat_id)?.messages ?? []
  // What is pinned or unpinned meanwhile shows in the timeline first.
  const pinned = run.flatMap(({ id, pinned }) => (pinned ? [id] : [])).join()

  async function read() {
    setError(null)
    try {
      const { data } = await call('listPins', { params: { id: chat_id }, query: { limit: 50 } })
      setPins(data)
      await readPeopleOf(data.map(({ user_id }) => user_id))
    } catch (failure) {
      setError(refusalText(failure))
    }
  }
  useEffect(() => void read(), [chat_id, pinned])

  // On a narrow screen it is all there is.
  const Box = narrow ? 'main' : 'aside'
  return (
    <Box class="panel" aria-label={media.pins}>
      <PaneHead back={`/chats/${chat_id}`} level={narrow ? 1 : 2} title={media.pins}>
        <ToolLink href={`/chats/${chat_id}`} icon="close" label={media.closePins} class="only-wide" />
      </PaneHead>
      <div class="panel-scroll scroll">
        {error && !pins && <ReadingFailed text={error} onRetry={() => void read()} />}
        {!pins && !error && <Reading />}
        {pins?.length === 0 && <Empty icon="pin" title={media.noPins} text={media.noPinsHint} />}
        <ul onKeyDown={moveAmongLinks}>
          {pins?.map((message) => (
            <li key={message.id} class="pin">
              <Excerpt message={message} inOneChat />
              <Unpin message={message} />
            </li>
          ))}
        </ul>
      </div>
    </Box>
  )
}

function Unpin({ message }: { message: Message }) {
  const { messages, common } = words()
  const may = state.chats.value.get(message.root_chat_id)?.may.includes('pin') ?? false
  const unpin = () =>
    call('unpinMessage', { params: { id: message.id } }).catch((error) =>
      toast(refusalText(error), { look: 'bad' }),
    )
  return (
    <ToolButton
      icon="close"
      label={may ? messages.unpin : common.notAllowed}
      disabled={!may}
      onClick={() => void unpin()}
    />
  )
}
