import type { Presence } from '@parley/contract'
import type { Actor } from '../platform/actor.js'
import type { Clock } from '../platform/clock.js'

export type Online = Exclude<Presence, 'offline'>

/** A page that is loaded again, or a connection that was cut, comes back within this time; nobody hears of it. */
const GRACE_MS = 10_000
/** A timer may fire a little early. */
const SWEEP_AFTER_MS = GRACE_MS + 50

interface Session {
  user_id: number
  presence: Online
  streams: number
  /** When the last stream ended; null while there is one. */
  left_at: number | null
}

/** The presence of somebody who is seen in several places: the most active one. */
export function mostActive(known: Iterable<Presence>): Presence {
  let result: Presence = 'offline'
  for (const presence of known) {
    if (presence === 'active') return presence
    if (presence === 'away') result = presence
  }
  return result
}

/** Sessions by their tokens, and those of each person. */
function createSessions() {
  const sessions = new Map<number, Session>()
  const people = new Map<number, Set<Session>>()
  return {
    all: sessions as ReadonlyMap<number, Session>,
    people: () => [...people.keys()],
    of: (userId: number): Iterable<Session> => people.get(userId) ?? [],
    get: (tokenId: number) => sessions.get(tokenId),
    add(tokenId: number, session: Session) {
      const own = people.get(session.user_id) ?? new Set()
      people.set(session.user_id, own.add(session))
      sessions.set(tokenId, session)
    },
    delete(tokenId: number) {
      const session = sessions.get(tokenId)
      if (!session) return
      sessions.delete(tokenId)
      const own = people.get(session.user_id)
      own?.delete(session)
      if (own?.size === 0) people.delete(session.user_id)
    },
  }
}

/** The login sessions that have streams on this process; `changed` is called for a person whose presence here may be another. */
export function createPresenceSessions(clock: Clock, changed: (userId: number) => void) {
  const sessions = createSessions()

  /** Forgets sessions that have not come back in time. */
  function sweep() {
    const before = clock.now() - GRACE_MS
    for (const [tokenId, session] of sessions.all) {
      if (session.left_at === null || session.left_at > before) continue
      sessions.delete(tokenId)
      changed(session.user_id)
    }
  }

  return {
    sweep,
    joined({ token_id, user_id }: Actor) {
      const session = sessions.get(token_id as number)
      if (session) Object.assign(session, { presence: 'active', streams: session.streams + 1, left_at: null })
      else sessions.add(token_id as number, { user_id, presence: 'active', streams: 1, left_at: null })
      changed(user_id)
    },
    left({ token_id }: Actor) {
      const session = sessions.get(token_id as number)
      if (!session) return
      session.streams -= 1
      if (session.streams > 0) return
      session.left_at = clock.now()
      setTimeout(sweep, SWEEP_AFTER_MS).unref()
    },
    set(tokenId: number, presence: Online) {
      const session = sessions.get(tokenId)
      if (!session || session.presence === presence) return
      session.presence = presence
      changed(session.user_id)
    },
    presenceOf(userId: number): Presence {
      return mostActive(Array.from(sessions.of(userId), ({ presence }) => presence))
    },
    people: sessions.people,
    /** Forgets sessions without a stream, whenever they left. */
    clear() {
      for (const [tokenId, { streams }] of sessions.all) if (streams === 0) sessions.delete(tokenId)
    },
  }
}
