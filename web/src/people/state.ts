import type { PersonCard, Presence } from '@parley/contract'
import type { Change } from '../platform/changes.js'
import { revisionOf } from '../platform/revision.js'
import type { Area } from '../platform/store.js'

export type People = ReadonlyMap<number, PersonCard>

/** Every live message brings the card of its author. Cards that say nothing new change nothing, so that nothing is drawn again. */
function withPeople(state: People, cards: readonly PersonCard[]): People {
  const news = cards.filter((card) => JSON.stringify(card) !== JSON.stringify(state.get(card.id)))
  if (news.length === 0) return state
  const next = new Map(state)
  for (const card of news) next.set(card.id, card)
  return next
}

/** Everybody that the screen has named so far. */
export const people: Area<People> = {
  initial: new Map(),
  reduce(state, change: Change) {
    switch (change.type) {
      case 'started':
        return withPeople(state, change.start.people)
      case 'people':
        return withPeople(state, change.people)
      case 'page':
        return withPeople(state, change.page.people)
      case 'live':
        return withPeople(state, change.frame.people ?? [])
      case 'signed_out':
        return new Map()
      default:
        return state
    }
  },
}

export type PresenceOf = ReadonlyMap<number, Presence>

/** Who is in the workspace, and their profiles. */
export const peopleRevision = revisionOf('company_members')

/** Who is online. Whoever is not in the map is offline. */
export const presence: Area<PresenceOf> = {
  initial: new Map(),
  reduce(state, change) {
    if (change.type === 'signed_out') return new Map()
    if (change.type === 'presence') return new Map(change.people.map((one) => [one.user_id, one.presence]))
    if (change.type !== 'live' || change.frame.type !== 'presence.changed') return state
    const { user_id, presence: now } = change.frame.payload
    if (user_id === undefined || now === undefined || state.get(user_id) === now) return state
    const next = new Map(state)
    if (now === 'offline') next.delete(user_id)
    else next.set(user_id, now)
    return next
  },
}

/** Who is writing where: by chat, by person, since when in milliseconds. */
export type TypingOf = ReadonlyMap<number, ReadonlyMap<number, number>>

function withTyping(state: TypingOf, chatId: number, userId: number, at_ms: number | null): TypingOf {
  const there = new Map(state.get(chatId))
  if (at_ms === null && !there.has(userId)) return state
  if (at_ms === null) there.delete(userId)
  else there.set(userId, at_ms)
  return new Map(state).set(chatId, there)
}

export const typing: Area<TypingOf> = {
  initial: new Map(),
  reduce(state, change) {
    if (change.type === 'signed_out') return new Map()
    if (change.type !== 'live' || change.frame.chat_id === null) return state
    const { type, chat_id, actor_id, created_at, payload } = change.frame
    if (type === 'typing.started' && payload.user_id !== undefined && payload.user_id !== change.me)
      return withTyping(state, chat_id, payload.user_id, created_at ? Date.parse(created_at) : Date.now())
    // Whoever has sent is not writing any more.
    return type === 'message.created' ? withTyping(state, chat_id, actor_id, null) : state
  },
}
