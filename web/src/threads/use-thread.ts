import type { Thread } from '@parley/contract'
import { useRef, useState } from 'preact/hooks'
import { readTimeline } from '../messages/actions.js'
import { markedUnread } from '../messages/reading.js'
import { call } from '../platform/api.js'
import { useUntilAnswered } from '../platform/use-until-answered.js'
import { state } from '../store.js'
import { fresh } from '../sync.js'

/** After which reply everything is unread, null where nothing is; undefined where no card of the thread's chat says so. */
function unreadAfter(chat_id: number): number | null | undefined {
  const card = state.chats.peek().get(chat_id)
  // What the device's copy says may be old.
  if (!card || !fresh.peek()) return undefined
  return card.unread_count > 0 ? card.read_message_id : null
}

/** A thread with its replies, which are asked for until the server gives them or says that there is no such thread. */
export function useThread(thread_id: number, message_id: number | null) {
  const [thread, setThread] = useState<Thread | null>(null)
  const [newAfter, setNewAfter] = useState<number | null | undefined>(undefined)
  /** The replies are in the state a moment before it is known which of them are unread. */
  const asked = useRef(false)
  const opening = useUntilAnswered(
    () =>
      call('getThread', { params: { id: thread_id } }).then(({ data }) => {
        setNewAfter(unreadAfter(data.chat_id))
        setThread(data)
      }),
    [thread_id],
  )
  const run = thread ? state.messages.value.get(thread.chat_id) : undefined
  const isKnown = run !== undefined && !run.stale

  function askReplies(): Promise<unknown> | null {
    if (!thread) return null
    const { chat_id } = thread
    if (message_id !== null) {
      const shown = isKnown && run.messages.some(({ id }) => id === message_id)
      return shown ? Promise.resolve() : readTimeline(chat_id, { around: message_id })
    }
    if (isKnown && (newAfter !== undefined || asked.current)) return Promise.resolve()
    asked.current = true
    return readTimeline(chat_id, { first_unread: true }).then(
      (first) => setNewAfter((before) => (first === null ? (before ?? null) : first - 1)),
      (error) => {
        asked.current = false
        throw error
      },
    )
  }

  const reading = useUntilAnswered(askReplies, [thread, message_id, isKnown])
  const { failure, again } = thread ? reading : opening
  return {
    thread,
    newAfter: (thread && markedUnread.value.get(thread.chat_id)?.after) ?? newAfter ?? null,
    isKnown,
    isMissing: opening.isMissing || reading.isMissing,
    failure: run === undefined ? failure : null,
    again,
  }
}
