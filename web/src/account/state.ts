import type { PersonCard, Start } from '@parley/contract'
import type { Change } from '../platform/changes.js'
import type { Area } from '../platform/store.js'

/** Who is signed in, and where. */
export type Session = Pick<Start, 'user' | 'role' | 'workspace' | 'may' | 'version'>

const OF_CARDS = ['first_name', 'last_name', 'nickname', 'title', 'image_url', 'time_zone'] as const

/** What the card of the person says, who may have been changed elsewhere. With another role everything is read again. */
function withCard(state: Session, cards: readonly PersonCard[]): Session {
  const { user } = state
  const card = cards.find(({ id }) => id === user.id)
  if (!card || OF_CARDS.every((name) => card[name] === user[name])) return state
  const { first_name, last_name, nickname, title, image_url, time_zone } = card
  return { ...state, user: { ...user, first_name, last_name, nickname, title, image_url, time_zone } }
}

export const session: Area<Session | null> = {
  initial: null,
  reduce(state, change: Change) {
    if (change.type === 'signed_out') return null
    if (change.type === 'profile') return state && { ...state, user: change.user }
    if (change.type === 'live') return state && withCard(state, change.frame.people ?? [])
    if (change.type !== 'started') return state
    const { user, role, workspace, may, version } = change.start
    return { user, role, workspace, may, version }
  },
}

/** Counters that belong to no chat. */
export interface Counters {
  unread_threads: number
  notices_unread: number
}

export const counters: Area<Counters> = {
  initial: { unread_threads: 0, notices_unread: 0 },
  reduce(state, change) {
    if (change.type === 'started') {
      const { unread_threads, notices_unread } = change.start
      return { unread_threads, notices_unread }
    }
    if (change.type === 'notices_read') return { ...state, notices_unread: 0 }
    if (change.type === 'live' && change.frame.type === 'notice.created')
      return { ...state, notices_unread: state.notices_unread + 1 }
    if (change.type === 'live' && change.frame.type === 'notices.read')
      return { ...state, notices_unread: change.frame.payload.notices_unread ?? 0 }
    if (change.type === 'unread_threads') return { ...state, unread_threads: change.count }
    return state
  },
}
