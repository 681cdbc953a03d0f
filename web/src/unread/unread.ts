import type { ChatCard } from '@parley/contract'
import { isListed } from '../chats/listing.js'
import type { Chats } from '../chats/state.js'

/** Chats with something unread: first those that call the person, then by activity. */
export function unreadOf(chats: Chats): ChatCard[] {
  const calls = ({ kind, mention_count }: ChatCard) => kind === 'personal' || mention_count > 0
  return [...chats.values()]
    .filter((card) => card.unread_count > 0 && isListed(card))
    .sort((a, b) => Number(calls(b)) - Number(calls(a)) || (a.last_message_at < b.last_message_at ? 1 : -1))
}
