import type { PersonPresence, Typing } from '@parley/contract'
import { now } from '../platform/clock.js'
import type { Context } from '../platform/context.js'
import { listSeenIds } from '../search/look-up-queries.js'
import { type EphemeralEvent, ephemeralFrame } from './frame.js'
import { createHub, type Hub } from './hub.js'
import { createPresence, type PresenceBoard } from './presence.js'
import { listViewers } from './queries.js'
import { createTyping } from './typing.js'

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
  async function broadcastPresence(change: PersonPresence) {
    const frame = frameOf('presence.changed', null, change)
    hub.broadcast(frame, ({ role }) => role !== 'multi_guest')
    const guests = new Map(
      hub
        .viewers()
        .flatMap((actor) => (actor.role === 'multi_guest' ? [[actor.user_id, actor] as const] : [])),
    )
    for (const [id, guest] of guests) {
      const seen = await listSeenIds(ctx.db, guest, [change.user_id])
      if (seen.has(change.user_id)) hub.broadcast(frame, ({ user_id }) => user_id === id)
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

  const board: PresenceBoard = createPresence(ctx, (change) => void broadcastPresence(change).catch(failed))
  const hub: Hub = createHub(ctx, board)
  const startTyping = createTyping(ctx, (typing) => void broadcastTyping(typing).catch(failed))
  return { hub, board, startTyping }
}
