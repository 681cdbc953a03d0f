import type { RelayedEvent } from '../platform/events/relay.js'

/** One event on the wire, as this person sees it: a personal message belongs to whoever is on the other side. */
export function frameOf(event: RelayedEvent, viewerId: number): string {
  const { type, chat_id, actor_id, created_at } = event
  const { personal, user_id } = event.payload
  const payload =
    personal === true && user_id !== viewerId ? { ...event.payload, entity_id: user_id } : event.payload
  const data = JSON.stringify({ type, chat_id, actor_id, created_at: created_at.toISOString(), payload })
  return `id: ${event.position}\nevent: ${type}\ndata: ${data}\n\n`
}

/** A word of the stream itself: `ready` at the start, `reset` when too much was missed. */
export function noteOf(name: 'ready' | 'reset', position: number): string {
  return `id: ${position}\nevent: ${name}\ndata: {}\n\n`
}
