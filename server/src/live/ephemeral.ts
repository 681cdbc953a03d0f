import type { PersonPresence, Typing } from '@parley/contract'
import { now } from '../platform/clock.js'
import type { Context } from '../platform/context.js'
import type { RelayedEvent } from '../platform/events/relay.js'
import { listSeenIds } from '../search/look-up-queries.js'
import { createBursts } from './bursts.js'
import { type EphemeralEvent, ephemeralFrame } from './frame.js'
import { createHub, type Hub } from './hub.js'
import { createInsiders } from './insiders.js'
import { createPresence, type PresenceBoard } from './presence.js'
import { listViewers } from './queries.js'
import { createTyping } from './typing.js'

/** Events after which another may be in a chat, or seen by a guest. */
const CHANGES_INSIDERS = /^(chat|chat_members|thread|company_members|workspace|bot)\./

/** So many streams are told of each change by itself. */
const TOLD_EACH = 50
const REST_A_STREAM_MS = 1
const REST_AT_MOST_MS = 5_000

/** The more streams there are, the more changes go together: telling them costs the same, however many people come and go. */
function restFor(streams: number): number {
  return streams <= TOLD_EACH ? 0 : Math.min(streams * REST_A_STREAM_MS, REST_AT_MOST_MS)
}

/** Live streams with ephemeral events on them, which are not stored: who is online, and who is typing. */
export function createEphemeral(ctx: Context) {
  const frameOf = (type: EphemeralEvent['type'], chat_id: number | null, payload: { user_id: number }) =>
    ephemeralFrame({
      type,
      chat_id,
      actor_id: payload.user_id,
      created_at: now(ctx.clock).toISOString(),
      payload,
    })
  const insideOf = createInsiders(async (chatId, ids) =>
    (await listViewers(ctx.db, [chatId], ids)).map(({ user_id }) => user_id),
  )
  const seenBy = createInsiders((guestId, ids) =>
    listSeenIds(ctx.db, { user_id: guestId, role: 'multi_guest' }, ids),
  )
  const follow = (events: readonly RelayedEvent[]) => {
    if (events.length > 0 && !events.some(({ type }) => CHANGES_INSIDERS.test(type))) return
    insideOf.forget()
    seenBy.forget()
  }
  const failed = (error: unknown) => ctx.log.warn({ err: error }, 'ephemeral event failed')

  /** Employees see everybody; for guests who shares a chat is asked. */
  async function broadcastPresence(changes: readonly PersonPresence[]) {
    const frames = new Map(
      changes.map((change) => [change.user_id, frameOf('presence.changed', null, change)]),
    )
    hub.broadcast([...frames.values()].join(''), ({ role }) => role !== 'multi_guest')
    const guests = new Set(
      hub.viewers().flatMap(({ role, user_id }) => (role === 'multi_guest' ? user_id : [])),
    )
    for (const id of guests) {
      const seen = await seenBy.among(id, [...frames.keys()])
      const shown = [...frames].flatMap(([user_id, frame]) => (seen.has(user_id) ? frame : []))
      if (shown.length > 0) hub.broadcast(shown.join(''), ({ user_id }) => user_id === id)
    }
  }

  async function broadcastTyping(typing: Typing) {
    const viewers = [...new Set(hub.viewers().map(({ user_id }) => user_id))]
    const inside = await insideOf.among(typing.chat_id, viewers)
    inside.delete(typing.user_id)
    hub.broadcast(frameOf('typing.started', typing.chat_id, typing), ({ user_id }) => inside.has(user_id))
  }

  const changed = createBursts<PersonPresence>(
    ({ user_id }) => user_id,
    (changes) => broadcastPresence(changes).catch(failed),
    () => restFor(hub.viewers().length),
  )
  const board: PresenceBoard = createPresence(ctx, changed)
  const hub: Hub = createHub(ctx, board, follow)
  const startTyping = createTyping(ctx, (typing) => void broadcastTyping(typing).catch(failed))
  return { hub, board, startTyping }
}
