import { call } from '../platform/api.js'
import { navigate } from '../platform/navigate.js'
import { savePreferences } from '../settings/actions.js'
import { state } from '../store.js'
import { readChat } from '../sync.js'

export async function joinChat(id: number) {
  const me = state.session.value?.user.id ?? 0
  await call('addChatMembers', { params: { id }, body: { member_ids: [me] } })
  await readChat(id)
}

export async function leaveChat(id: number) {
  await call('leaveChat', { params: { id } })
  if (location.pathname === `/chats/${id}`) navigate('/', 'replace')
}

/** With an id that was there gone, and one that was not there added. */
export function toggled(ids: readonly number[], id: number): readonly number[] {
  return ids.includes(id) ? ids.filter((one) => one !== id) : [...ids, id]
}

export function toggleFavourite(id: number) {
  return savePreferences({ favourite_chat_ids: toggled(state.preferences.peek().favourite_chat_ids, id) })
}

export const markRead = (id: number) => call('markChatRead', { params: { id } })
export const markAllRead = () => call('markAllRead')
