import { savePreferences } from '../settings/actions.js'
import { state } from '../store.js'
import { putChat } from './sections.js'

const TYPE = 'application/x-parley-chat'

/** Where a chat can be dropped: a section of one's own, the favourites, or where it would be without either. */
export type DropPlace = { section_id: string } | 'favourites' | 'usual'

export function startDrag(event: DragEvent, chatId: number) {
  event.dataTransfer?.setData(TYPE, String(chatId))
}

/** Whether a chat of the list is being dragged, and not a file or a text. */
export function isChatDrag(event: DragEvent): boolean {
  return event.dataTransfer?.types.includes(TYPE) ?? false
}

export function moveChat(chatId: number, place: DropPlace) {
  const { sections, favourite_chat_ids } = state.preferences.peek()
  const rest = favourite_chat_ids.filter((id) => id !== chatId)
  return savePreferences({
    sections: putChat(sections, chatId, typeof place === 'object' ? place.section_id : null),
    favourite_chat_ids: place === 'favourites' ? [...rest, chatId] : rest,
  })
}

export function dropChat(event: DragEvent, place: DropPlace) {
  const chatId = Number(event.dataTransfer?.getData(TYPE))
  if (chatId > 0) void moveChat(chatId, place)
}
