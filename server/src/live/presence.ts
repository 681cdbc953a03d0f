import type { PersonPresence, Presence } from '@parley/contract'
import type { Actor } from '../platform/actor.js'
import type { Context } from '../platform/context.js'

type Online = Exclude<Presence, 'offline'>

/** How long another process is believed without a word, and how often each gives one. */
const BELIEVED_MS = 60_000
const REPEAT_EVERY_MS = 20_000
const PEOPLE_A_NOTE = 400
/** A page that is loaded again, or a line that was cut, comes back within this time; nobody hears of it. */
const GRACE_MS = 10_000

/** What processes tell one another; nothing of it is kept. */
type PresenceNote =
  /** Who is here, from where the note comes; `offline` for who left. */
  | { people: [user_id: number, presence: Presence][] }
  | { set: [token_id: number, presence: Online] }
  | { ask: true }

interface Session {
  user_id: number
  presence: Online
  streams: number
  /** When the last stream ended; null while there is one. */
  left_at: number | null
}

export interface PresenceBoard {
  joined(actor: Actor): void
  left(actor: Actor): void
  set(actor: Actor, presence: Online): void
  list(): PersonPresence[]
  close(): void
}

function best(known: Iterable<Presence>): Presence {
  let result: Presence = 'offline'
  for (const presence of known) {
    if (presence === 'active') return presence
    if (presence === 'away') result = presence
  }
  return result
}

/**
 * Who is online, as this process and the others tell: each knows its own streams and says what changed, and everything
 * again from time to time, so that a process that died is forgotten.
 */
export function createPresence(
  ctx: Pick<Context, 'bell' | 'clock' | 'resets'>,
  changed: (change: PersonPresence) => void,
): PresenceBoard {
  const sessions = new Map<number, Session>()
  const elsewhere = new Map<string, Map<number, { presence: Presence; at: number }>>()
  const told = new Map<number, Online>()

  function own(userId: number): Presence {
    const mine = [...sessions.values()].filter(({ user_id }) => user_id === userId)
    return best(mine.map(({ presence }) => presence))
  }

  function believed(userId: number): Presence[] {
    const since = ctx.clock.now() - BELIEVED_MS
    return [...elsewhere.values()].flatMap((people) => {
      const word = people.get(userId)
      return word && word.at > since ? [word.presence] : []
    })
  }

  /** Tells of this person where the sum of what is known became different. */
  function settle(userId: number) {
    const presence = best([own(userId), ...believed(userId)])
    if (presence === (told.get(userId) ?? 'offline')) return
    if (presence === 'offline') told.delete(userId)
    else told.set(userId, presence)
    changed({ user_id: userId, presence })
  }

  function pass(note: PresenceNote) {
    ctx.bell.pass('presence', note)
  }

  function change(userId: number) {
    pass({ people: [[userId, own(userId)]] })
    settle(userId)
  }

  function passAll() {
    const here = [...new Set([...sessions.values()].map(({ user_id }) => user_id))]
    for (let start = 0; start < here.length; start += PEOPLE_A_NOTE)
      pass({ people: here.slice(start, start + PEOPLE_A_NOTE).map((id) => [id, own(id)]) })
  }

  function hear(from: string, note: PresenceNote) {
    if ('ask' in note) return passAll()
    if ('set' in note) return setHere(...note.set)
    const people = elsewhere.get(from) ?? new Map()
    elsewhere.set(from, people)
    for (const [id, presence] of note.people) {
      if (presence === 'offline') people.delete(id)
      else people.set(id, { presence, at: ctx.clock.now() })
      settle(id)
    }
  }

  function setHere(tokenId: number, presence: Online) {
    const session = sessions.get(tokenId)
    if (!session || session.presence === presence) return
    session.presence = presence
    change(session.user_id)
  }

  /** Forgets sessions that have not come back in time. */
  function sweep() {
    const before = ctx.clock.now() - GRACE_MS
    for (const [tokenId, session] of sessions) {
      if (session.left_at === null || session.left_at > before) continue
      sessions.delete(tokenId)
      change(session.user_id)
    }
  }

  const unhook = ctx.bell.onNote('presence', (from, note) => hear(from, note as PresenceNote))
  ctx.resets.add(() => {
    elsewhere.clear()
    for (const [tokenId, { streams }] of sessions) if (streams === 0) sessions.delete(tokenId)
    for (const userId of [...told.keys()]) settle(userId)
  })
  const timer = setInterval(() => {
    passAll()
    for (const userId of [...told.keys()]) settle(userId)
  }, REPEAT_EVERY_MS).unref()
  pass({ ask: true })

  return {
    joined(actor) {
      const id = actor.token_id as number
      const session = sessions.get(id) ?? {
        user_id: actor.user_id,
        presence: 'active',
        streams: 0,
        left_at: null,
      }
      session.streams += 1
      session.left_at = null
      session.presence = 'active'
      sessions.set(id, session)
      change(actor.user_id)
    },
    left(actor) {
      const session = sessions.get(actor.token_id as number)
      if (!session) return
      session.streams -= 1
      if (session.streams > 0) return
      session.left_at = ctx.clock.now()
      // A little later than the grace, as a timer may fire a little early.
      setTimeout(sweep, GRACE_MS + 50).unref()
    },
    set(actor, presence) {
      setHere(actor.token_id as number, presence)
      pass({ set: [actor.token_id as number, presence] })
    },
    list() {
      sweep()
      for (const userId of [...told.keys()]) settle(userId)
      return [...told].map(([user_id, presence]) => ({ user_id, presence }))
    },
    close() {
      clearInterval(timer)
      unhook()
    },
  }
}
