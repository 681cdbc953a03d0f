import type { ChatCard } from '@parley/contract'
import type { Chats } from '../chats/state.js'

/** Chats with something unread: first those that call the person, then by activity. */
export function unreadOf(chats: Chats): ChatCard[] {
  const calls = ({ kind, mention_count }: ChatCard) => kind === 'personal' || mention_count > 0
  return [...chats.values()]
    .filter(({ unread_count, my_role, archived }) => unread_count > 0 && my_role !== null && !archived)
    .sort((a, b) => Number(calls(b)) - Number(calls(a)) || (a.last_message_at < b.last_message_at ? 1 : -1))
}
