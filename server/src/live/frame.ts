import type { RelayedEvent } from '../platform/events/relay.js'

/** One event on the wire, as this person sees it: a personal message belongs to whoever is on the other side. */
export function frameOf(event: RelayedEvent, viewerId: number, shown = ''): string {
  const { type, chat_id, actor_id, created_at } = event
  const { client_key, ...told } = event.payload
  const { personal, user_id } = told
  const payload = personal === true && user_id !== viewerId ? { ...told, entity_id: user_id } : told
  const own = client_key !== undefined && actor_id === viewerId ? { client_key } : {}
  const data = JSON.stringify({
    type,
    chat_id,
    actor_id,
    created_at: created_at.toISOString(),
    payload,
    ...own,
  })
  return `id: ${event.position}\nevent: ${type}\ndata: ${data.slice(0, -1)}${shown}}\n\n`
}

/** A word of the stream itself: `ready` at the start, `reset` when too much was missed. */
export function noteOf(name: 'ready' | 'reset', position: number, version: string): string {
  const data = JSON.stringify({ position: String(position), version })
  return `id: ${position}\nevent: ${name}\ndata: ${data}\n\n`
}
