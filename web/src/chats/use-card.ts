import { useEffect } from 'preact/hooks'
import { state } from '../store.js'
import { fresh, readChat } from '../sync.js'

/** The card of a chat; one that the list does not have, such as that of an archived chat, is read. */
export function useCard(id: number | null) {
  const card = id === null ? undefined : state.chats.value.get(id)
  const isMissing = id !== null && card === undefined && fresh.value
  useEffect(() => {
    if (isMissing) void readChat(id).catch(() => {})
  }, [id, isMissing])
  return card
}
