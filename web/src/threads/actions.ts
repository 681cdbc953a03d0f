import type { TimelineMessage } from '@parley/contract'
import { call } from '../platform/api.js'
import { navigate } from '../platform/navigate.js'

/** Opens the thread of a message beside its chat, and begins it where there is none. */
export async function openThread(message: TimelineMessage) {
  const { chat_id, thread } = message
  const id = thread?.id ?? (await call('createThread', { params: { id: message.id } })).data.id
  navigate(`/chats/${chat_id}?thread=${id}`)
}
