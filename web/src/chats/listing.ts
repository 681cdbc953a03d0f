import type { ChatCard } from '@parley/contract'
import type { Section, Sections } from './sections.js'
import type { Chats } from './state.js'

/** The parts of the list of chats, each by activity. */
export interface Listing {
  favourites: ChatCard[]
  /** Those that the person made. */
  sections: { section: Section; cards: ChatCard[] }[]
  chats: ChatCard[]
  channels: ChatCard[]
  people: ChatCard[]
}

const byActivity = (a: ChatCard, b: ChatCard) =>
  a.last_message_at < b.last_message_at ? 1 : a.last_message_at > b.last_message_at ? -1 : b.id - a.id

/** Whether a card is one of the person's chats. Threads have a list and a count of their own. */
export const isListed = ({ my_role, archived, kind }: ChatCard) =>
  my_role !== null && !archived && kind !== 'thread'

export function listingOf(chats: Chats, favouriteIds: readonly number[], sections: Sections): Listing {
  const parts = sections.map((section) => ({ section, cards: [] as ChatCard[] }))
  const partOf = new Map(parts.flatMap((part) => part.section.chat_ids.map((id) => [id, part])))
  const listing: Listing = { favourites: [], sections: parts, chats: [], channels: [], people: [] }
  for (const card of [...chats.values()].filter(isListed).sort(byActivity)) {
    const part = partOf.get(card.id)
    if (favouriteIds.includes(card.id)) listing.favourites.push(card)
    else if (part) part.cards.push(card)
    else if (card.kind === 'channel') listing.channels.push(card)
    else if (card.kind === 'personal') listing.people.push(card)
    else listing.chats.push(card)
  }
  return listing
}

/** The listing of now, each list the array of before where it has the same cards: those are not drawn again. */
export function keepParts(before: Listing | null, now: Listing): Listing {
  if (!before) return now
  const kept = (one: ChatCard[], other: ChatCard[] | undefined) =>
    one.length === other?.length && one.every((card, index) => card === other[index]) ? other : one
  const sections = now.sections.map(({ section, cards }) => {
    const known = before.sections.find((part) => part.section.id === section.id)
    return { section, cards: kept(cards, known?.cards) }
  })
  return {
    favourites: kept(now.favourites, before.favourites),
    sections,
    chats: kept(now.chats, before.chats),
    channels: kept(now.channels, before.channels),
    people: kept(now.people, before.people),
  }
}

export interface UnreadTotal {
  unread: number
  mentions: number
}

/** What wants the reader: in personal chats every message does. */
export function totalUnread(chats: Chats, mutedIds: readonly number[]): UnreadTotal {
  let unread = 0
  let mentions = 0
  for (const card of chats.values()) {
    if (!isListed(card) || mutedIds.includes(card.id)) continue
    unread += card.unread_count
    mentions += card.kind === 'personal' ? card.unread_count : card.mention_count
  }
  return { unread, mentions }
}
