import { state } from '../store.js'

/** The chat with a person; where there is none yet, the page that begins one. */
export function personalPath(userId: number): string {
  for (const card of state.chats.value.values())
    if (card.personal_user_id === userId) return `/chats/${card.id}`
  return `/people/${userId}`
}
