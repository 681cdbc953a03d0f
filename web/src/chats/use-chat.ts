import type { ChatCard } from '@parley/contract'
import { useMemo, useRef } from 'preact/hooks'
import { readTimeline } from '../messages/actions.js'
import { markedUnread } from '../messages/reading.js'
import { mayPass } from '../platform/api.js'
import { connection } from '../platform/live.js'
import { useUntilAnswered } from '../platform/use-until-answered.js'
import { apply, state } from '../store.js'
import { fresh, readChat, recounts } from '../sync.js'
import { useLookIn } from './use-look-in.js'

/** Reads what may have changed in a chat, also that it is closed now; older messages that are being read stay. */
async function lookAgain(id: number) {
  try {
    await readChat(id)
    if (!state.messages.peek().get(id)?.has_newer) await readTimeline(id, { newest: true })
  } catch (error) {
    if (!mayPass(error)) apply({ type: 'chats_gone', ids: new Set([id]) })
  }
}

/** A chat with its messages, which are asked for until the server gives them or says that there is no such chat. */
export function useChat(id: number, message_id: number | null) {
  const card = state.chats.value.get(id)
  // It goes where the person is removed; what they may still see is asked then.
  const last = useRef<ChatCard | undefined>(undefined)
  last.current = card ?? last.current
  const newAfter = useMemo(
    () => (card && card.unread_count > 0 ? card.read_message_id : null),
    // What the device's copy says of unread messages is not asked again once the server has.
    [id, fresh.value],
  )
  const run = state.messages.value.get(id)
  const isKnown = run !== undefined && !run.stale
  const isOnline = connection.value === 'online'

  function ask(): Promise<unknown> | null {
    if (!fresh.value) return null
    const asked: Promise<unknown>[] = card && !recounts.isOwed(id) ? [] : [readChat(id)]
    const shown = isKnown && message_id !== null && run.messages.some((message) => message.id === message_id)
    if (message_id !== null && !shown) asked.push(readTimeline(id, { around: message_id }))
    else if (!isKnown)
      asked.push(readTimeline(id, newAfter === null ? { newest: true } : { first_unread: true }))
    return Promise.all(asked)
  }

  useLookIn(card, () => lookAgain(id))

  const inputs = [id, message_id, fresh.value, isKnown, isKnown || isOnline, card === undefined]
  const { isMissing, failure, again } = useUntilAnswered(ask, inputs)
  return {
    card,
    last: last.current,
    newAfter: markedUnread.value.get(id)?.after ?? newAfter,
    isKnown,
    isMissing,
    failure: run === undefined ? failure : null,
    again,
  }
}
