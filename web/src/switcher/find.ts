import type { ChatCard, ChatMatch, PersonCard } from '@parley/contract'
import { isListed } from '../chats/listing.js'

/** Something that the switcher leads to. */
export type Found =
  | { kind: 'chat'; chat: Pick<ChatCard, 'id' | 'kind' | 'public' | 'personal_user_id'>; title: string }
  | { kind: 'person'; person: PersonCard }
  | { kind: 'command'; name: string; title: string }

/** Every word of the query begins a word of the text. */
export function matches(query: string, text: string): boolean {
  const found = wordsOf(text)
  return wordsOf(query).every((wanted) => found.some((word) => word.startsWith(wanted)))
}

function wordsOf(text: string): string[] {
  return text
    .toLocaleLowerCase()
    .split(/[\s\p{P}]+/u)
    .filter(Boolean)
}

interface Known {
  cards: readonly ChatCard[]
  titleOf(card: ChatCard): string
  commands: readonly { name: string; title: string }[]
  /** What the server found. */
  chats: readonly ChatMatch[]
  people: readonly PersonCard[]
  me: number
}

const SHOWN_AT_MOST = 30

const isWhole = (query: string, title: string) =>
  title.trim().toLocaleLowerCase() === query.trim().toLocaleLowerCase()

/** Own chats, those of exactly this name and unread ones first, then people, open chats and commands; nothing twice. */
export function find(query: string, known: Known): Found[] {
  const own = known.cards
    .filter((card) => isListed(card) && matches(query, known.titleOf(card)))
    .sort(
      (a, b) =>
        Number(isWhole(query, known.titleOf(b))) - Number(isWhole(query, known.titleOf(a))) || byWeight(a, b),
    )
  const ids = new Set(own.map(({ id }) => id))
  const partners = new Set(own.map(({ personal_user_id }) => personal_user_id))
  const people = known.people.filter(({ id, deleted }) => !deleted && id !== known.me && !partners.has(id))
  const open = known.chats.filter(({ id, kind }) => !ids.has(id) && kind !== 'personal')
  const commands = known.commands.filter(({ title }) => matches(query, title))
  const found: Found[] = [
    ...own.map((chat): Found => ({ kind: 'chat', chat, title: known.titleOf(chat) })),
    ...people.map((person): Found => ({ kind: 'person', person })),
    ...open.map((chat): Found => ({ kind: 'chat', chat, title: chat.name })),
    ...commands.map((command): Found => ({ kind: 'command', ...command })),
  ]
  return found.slice(0, SHOWN_AT_MOST)
}

function byWeight(a: ChatCard, b: ChatCard): number {
  const calls = (card: ChatCard) => (card.mention_count > 0 ? 2 : card.unread_count > 0 ? 1 : 0)
  return calls(b) - calls(a) || (a.last_message_at < b.last_message_at ? 1 : -1)
}
