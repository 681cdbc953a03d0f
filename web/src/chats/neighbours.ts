import { navigate } from '../platform/navigate.js'
import { state } from '../store.js'
import { listingOf } from './listing.js'

/** The chat so many places below the open one in the list, or above; the list wraps around. */
export function openNeighbour(step: 1 | -1) {
  const { favourite_chat_ids, sections: own } = state.preferences.value
  const { favourites, sections, chats, channels, people } = listingOf(
    state.chats.value,
    favourite_chat_ids,
    own,
  )
  const all = [...favourites, ...sections.flatMap(({ cards }) => cards), ...chats, ...channels, ...people]
  const current = Number(/^\/chats\/(\d+)/.exec(location.pathname)?.[1])
  const at = all.findIndex(({ id }) => id === current)
  const next = at < 0 ? all.at(step > 0 ? 0 : -1) : all[(at + step + all.length) % all.length]
  if (next) navigate(`/chats/${next.id}`)
}
