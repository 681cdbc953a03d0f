import type { Thread } from '@parley/contract'
import { useState } from 'preact/hooks'
import { readTimeline } from '../messages/actions.js'
import { call } from '../platform/api.js'
import { useUntilAnswered } from '../platform/use-until-answered.js'
import { state } from '../store.js'

/** A thread with its replies, which are asked for until the server gives them or says that there is no such thread. */
export function useThread(thread_id: number, message_id: number | null) {
  const [thread, setThread] = useState<Thread | null>(null)
  const opening = useUntilAnswered(
    () => call('getThread', { params: { id: thread_id } }).then(({ data }) => setThread(data)),
    [thread_id],
  )
  const run = thread ? state.messages.value.get(thread.chat_id) : undefined
  const isKnown = run !== undefined && !run.stale

  function askReplies(): Promise<unknown> | null {
    if (!thread) return null
    const shown = isKnown && run.messages.some(({ id }) => id === message_id)
    if (isKnown && (message_id === null || shown)) return Promise.resolve()
    return readTimeline(thread.chat_id, message_id === null ? { newest: true } : { around: message_id })
  }

  const reading = useUntilAnswered(askReplies, [thread, isKnown])
  const { failure, again } = thread ? reading : opening
  return {
    thread,
    isMissing: opening.isMissing || reading.isMissing,
    failure: run === undefined ? failure : null,
    again,
  }
}
