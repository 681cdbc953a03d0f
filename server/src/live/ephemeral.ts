import type { PersonPresence, Typing } from '@parley/contract'
import { now } from '../platform/clock.js'
import type { Context } from '../platform/context.js'
import { listSeenIds } from '../search/look-up-queries.js'
import { createBursts } from './bursts.js'
import { type EphemeralEvent, ephemeralFrame } from './frame.js'
import { createHub, type Hub } from './hub.js'
import { createPresence, type PresenceBoard } from './presence.js'
import { listViewers } from './queries.js'
import { createTyping } from './typing.js'

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
  const failed = (error: unknown) => ctx.log.warn({ err: error }, 'ephemeral event failed')

  /** Employees see everybody; for guests who shares a chat is asked. */
  async function broadcastPresence(changes: readonly PersonPresence[]) {
    const frames = new Map(
      changes.map((change) => [change.user_id, frameOf('presence.changed', null, change)]),
    )
    hub.broadcast([...frames.values()].join(''), ({ role }) => role !== 'multi_guest')
    const guests = new Map(
      hub
        .viewers()
        .flatMap((actor) => (actor.role === 'multi_guest' ? [[actor.user_id, actor] as const] : [])),
    )
    for (const [id, guest] of guests) {
      const seen = await listSeenIds(ctx.db, guest, [...frames.keys()])
      const shown = [...frames].flatMap(([user_id, frame]) => (seen.has(user_id) ? frame : []))
      if (shown.length > 0) hub.broadcast(shown.join(''), ({ user_id }) => user_id === id)
    }
  }

  async function broadcastTyping(typing: Typing) {
    const viewers = [...new Set(hub.viewers().map(({ user_id }) => user_id))]
    const inside = new Set(
      (await listViewers(ctx.db, [typing.chat_id], viewers)).map(({ user_id }) => user_id),
    )
    inside.delete(typing.user_id)
    hub.broadcast(frameOf('typing.started', typing.chat_id, typing), ({ user_id }) => inside.has(user_id))
  }

  const changed = createBursts<PersonPresence>(
    ({ user_id }) => user_id,
    (changes) => broadcastPresence(changes).catch(failed),
    () => restFor(hub.viewers().length),
  )
  const board: PresenceBoard = createPresence(ctx, changed)
  const hub: Hub = createHub(ctx, board)
  const startTyping = createTyping(ctx, (typing) => void broadcastTyping(typing).catch(failed))
  return { hub, board, startTyping }
}
