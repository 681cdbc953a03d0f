import type { ChatCard } from '@parley/contract'
import type { Place } from '../drafts/state.js'
import { state } from '../store.js'
import { personAt } from './names.js'

/** The chat with a person, where there is one. */
export function personalChatId(userId: number): number | null {
  for (const card of state.chats.value.values()) if (card.personal_user_id === userId) return card.id
  return null
}

/** The chat with a person; where there is none yet, the page that begins one. */
export function personalPath(userId: number): string {
  const chatId = personalChatId(userId)
  return chatId === null ? `/people/${userId}` : `/chats/${chatId}`
}

/** The same place, or the chat with the person that there is by now. */
export function placeNow(place: Place): Place {
  const chatId = place.entity_type === 'user' ? personalChatId(place.entity_id) : null
  return chatId === null ? place : { entity_type: 'discussion', entity_id: chatId }
}

/** Whether the other side of a personal chat was suspended or deleted: nobody writes to them. */
export function isOtherGone({ personal_user_id }: ChatCard): boolean {
  if (personal_user_id === null) return false
  const { suspended, deleted } = personAt(personal_user_id)
  return suspended === true || deleted === true
}
