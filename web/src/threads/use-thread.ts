import type { Thread } from '@parley/contract'
import { useRef, useState } from 'preact/hooks'
import { useLookIn } from '../chats/use-look-in.js'
import { findMessage, readTimeline } from '../messages/actions.js'
import { markedUnread } from '../messages/reading.js'
import { call } from '../platform/api.js'
import { useUntilAnswered } from '../platform/use-until-answered.js'
import { state } from '../store.js'
import { fresh } from '../sync.js'
import { readParent } from './actions.js'

/** After which reply everything is unread, null where nothing is; undefined where no card of the thread's chat says so. */
function unreadAfter(chat_id: number): number | null | undefined {
  const card = state.chats.peek().get(chat_id)
  // What the device's copy says may be old.
  if (!card || !fresh.peek()) return undefined
  return card.unread_count > 0 ? card.read_message_id : null
}

/** The message that a thread hangs under, which is asked for where it is not among those of its chat that are here. */
function useParent(chat_id: number, id: number | null) {
  const run = state.messages.value.get(chat_id)
  const read = state.threadParent.value
  const parent = id === null ? undefined : (findMessage(chat_id, id) ?? (read?.id === id ? read : undefined))
  const isAway = run !== undefined && !run.stale && parent === undefined
  useUntilAnswered(() => (isAway && id !== null ? readParent(chat_id, id) : null), [chat_id, id, isAway])
  return parent
}

/** A thread with its replies, which are asked for until the server gives them or says that there is no such thread. */
export function useThread(root_chat_id: number, thread_id: number, message_id: number | null) {
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
  const parent = useParent(root_chat_id, thread?.message_id ?? null)
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

  const chat_id = thread?.chat_id ?? null
  useLookIn(state.chats.value.get(root_chat_id), async () => {
    if (chat_id !== null && !state.messages.peek().get(chat_id)?.has_newer)
      await readTimeline(chat_id, { newest: true })
  })

  const reading = useUntilAnswered(askReplies, [thread, message_id, isKnown])
  const { failure, again } = thread ? reading : opening
  return {
    thread,
    parent,
    newAfter: (thread && markedUnread.value.get(thread.chat_id)?.after) ?? newAfter ?? null,
    isKnown,
    isMissing: opening.isMissing || reading.isMissing,
    failure: run === undefined ? failure : null,
    again,
  }
}
