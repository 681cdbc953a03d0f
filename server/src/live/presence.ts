import type { PersonPresence, Presence } from '@parley/contract'
import type { Actor } from '../platform/actor.js'
import type { Clock } from '../platform/clock.js'
import type { Context } from '../platform/context.js'
import { createPresenceSessions, mostActive, type Online } from './presence-sessions.js'

/** What another process said holds for this long, and each repeats it this often. */
const VALID_MS = 60_000
const REPEAT_EVERY_MS = 20_000
const PEOPLE_A_NOTE = 400

/** What processes send one another; nothing of it is kept. */
type PresenceNote =
  /** Who is online in the process that sends the note; `offline` for those who left. */
  | { people: [user_id: number, presence: Presence][] }
  | { set: [token_id: number, presence: Online] }
  | { ask: true }

export interface PresenceBoard {
  joined(actor: Actor): void
  left(actor: Actor): void
  set(actor: Actor, presence: Online): void
  list(): PersonPresence[]
  close(): void
}

/** Who is online in other processes, as they said last. */
function createRemotePresence(clock: Clock) {
  const processes = new Map<string, Map<number, { presence: Presence; at: number }>>()
  return {
    set(from: string, userId: number, presence: Presence) {
      const people = processes.get(from) ?? new Map()
      processes.set(from, people)
      if (presence === 'offline') people.delete(userId)
      else people.set(userId, { presence, at: clock.now() })
    },
    of(userId: number): Presence[] {
      const since = clock.now() - VALID_MS
      return [...processes.values()].flatMap((people) => {
        const last = people.get(userId)
        return last && last.at > since ? [last.presence] : []
      })
    },
    clear: () => processes.clear(),
  }
}

/** The presence of each person as it was announced last; `changed` is called where it became another. */
function createAnnounced(of: (userId: number) => Presence, changed: (change: PersonPresence) => void) {
  const announced = new Map<number, Online>()
  function update(userId: number) {
    const presence = of(userId)
    if (presence === (announced.get(userId) ?? 'offline')) return
    if (presence === 'offline') announced.delete(userId)
    else announced.set(userId, presence)
    changed({ user_id: userId, presence })
  }
  return {
    update,
    updateAll() {
      for (const userId of [...announced.keys()]) update(userId)
    },
    list: () => [...announced].map(([user_id, presence]) => ({ user_id, presence })),
  }
}

/** Everybody who is online here, in notes that are short enough to send. */
function notesOf(sessions: ReturnType<typeof createPresenceSessions>): PresenceNote[] {
  const here = sessions.people().map((id): [number, Presence] => [id, sessions.presenceOf(id)])
  const count = Math.ceil(here.length / PEOPLE_A_NOTE)
  return Array.from({ length: count }, (_, index) => ({
    people: here.slice(index * PEOPLE_A_NOTE, (index + 1) * PEOPLE_A_NOTE),
  }))
}

/**
 * Who is online, over all processes: each knows its own streams and sends what changed to the others, and everything
 * again from time to time, so that what a process that died had said expires.
 */
export function createPresence(
  ctx: Pick<Context, 'bell' | 'clock' | 'resets'>,
  changed: (change: PersonPresence) => void,
): PresenceBoard {
  const pass = (note: PresenceNote) => ctx.bell.pass('presence', note)
  const remote = createRemotePresence(ctx.clock)
  const sessions = createPresenceSessions(ctx.clock, (userId) => {
    pass({ people: [[userId, sessions.presenceOf(userId)]] })
    announced.update(userId)
  })
  const announced = createAnnounced(
    (userId) => mostActive([sessions.presenceOf(userId), ...remote.of(userId)]),
    changed,
  )

  const passAll = () => {
    for (const note of notesOf(sessions)) pass(note)
  }

  function hear(from: string, note: PresenceNote) {
    if ('ask' in note) return passAll()
    if ('set' in note) return sessions.set(...note.set)
    for (const [userId, presence] of note.people) {
      remote.set(from, userId, presence)
      announced.update(userId)
    }
  }

  const unhook = ctx.bell.onNote('presence', (from, note) => hear(from, note as PresenceNote))
  ctx.resets.add(() => {
    remote.clear()
    sessions.clear()
    announced.updateAll()
  })
  const timer = setInterval(() => {
    passAll()
    announced.updateAll()
  }, REPEAT_EVERY_MS).unref()
  pass({ ask: true })

  return {
    joined: sessions.joined,
    left: sessions.left,
    set({ token_id }, presence) {
      sessions.set(token_id as number, presence)
      pass({ set: [token_id as number, presence] })
    },
    list() {
      sessions.sweep()
      announced.updateAll()
      return announced.list()
    },
    close() {
      clearInterval(timer)
      unhook()
    },
  }
}
