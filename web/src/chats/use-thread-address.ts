import type { ChatCard } from '@parley/contract'
import { useEffect } from 'preact/hooks'
import { navigate } from '../platform/navigate.js'
import { state } from '../store.js'
import { useCard } from './use-card.js'

/** Addresses of replies name the chat of their thread. Whoever may read the chat that it hangs in is shown it there. */
export function useThreadAddress(card: ChatCard | undefined, message_id: number | null) {
  const reply = card?.kind === 'thread' ? state.messages.value.get(card.id)?.messages[0] : undefined
  const root = useCard(reply && reply.root_chat_id !== reply.chat_id ? reply.root_chat_id : null)
  const at = reply && root && `/chats/${root.id}?thread=${reply.entity_id}`
  useEffect(() => {
    if (at) navigate(message_id === null ? at : `${at}&reply=${message_id}`, 'replace')
  }, [at])
}
