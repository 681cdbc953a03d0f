import { useEffect, useMemo, useState } from 'preact/hooks'
import { readTimeline } from '../messages/actions.js'
import { pauseAfter } from '../platform/again.js'
import { mayPass } from '../platform/api.js'
import { connection } from '../platform/live.js'
import { refusalText } from '../platform/refusal.js'
import { state } from '../store.js'
import { fresh, readChat } from '../sync.js'

/** A chat with its messages, which are asked for until the server gives them or says that there is no such chat. */
export function useChat(id: number, message_id: number | null) {
  const card = state.chats.value.get(id)
  const [isMissing, setMissing] = useState(false)
  const [failure, setFailure] = useState<string | null>(null)
  const [attempts, setAttempts] = useState(0)
  const newAfter = useMemo(
    () => (card && card.unread_count > 0 ? card.read_message_id : null),
    // What the device's copy says of unread messages is not asked again once the server has.
    [id, fresh.value],
  )
  const run = state.messages.value.get(id)
  const isKnown = run !== undefined && !run.stale
  const isOnline = connection.value === 'online'
  const again = () => setAttempts((before) => before + 1)

  function ask(): Promise<unknown>[] {
    const asked: Promise<unknown>[] = card ? [] : [readChat(id)]
    const shown = isKnown && message_id !== null && run.messages.some((message) => message.id === message_id)
    if (message_id !== null && !shown) asked.push(readTimeline(id, { around: message_id }))
    else if (!isKnown)
      asked.push(readTimeline(id, newAfter === null ? { newest: true } : { first_unread: true }))
    return asked
  }

  useEffect(() => {
    if (!fresh.value) return
    let timer: ReturnType<typeof setTimeout> | undefined
    let isOver = false
    const fail = (error: unknown) => {
      if (isOver) return
      if (!mayPass(error)) return setMissing(true)
      setFailure(refusalText(error))
      timer = setTimeout(again, pauseAfter(error, attempts))
    }
    Promise.all(ask()).then(() => setFailure(null), fail)
    return () => {
      isOver = true
      clearTimeout(timer)
    }
  }, [id, message_id, fresh.value, isKnown, isKnown || isOnline, attempts])

  return {
    card,
    newAfter,
    isKnown,
    isMissing,
    /** Why there is nothing to show; it is asked for again by itself. */
    failure: run === undefined ? failure : null,
    again,
  }
}
