import { entityIdFor } from '../messages/events.js'
import type { RelayedEvent } from '../platform/events/relay.js'

/** The payload as this person sees it: a personal message belongs to the person on the other side. */
function payloadFor({ payload }: RelayedEvent, viewerId: number) {
  if (!('personal' in payload)) return payload
  const { client_key: _own, ...told } = payload
  return { ...told, entity_id: entityIdFor(told, viewerId) }
}

/** One event on the wire. `shown` are the other fields of the frame, as the rest of a JSON object. */
function frameOf(event: RelayedEvent, viewerId: number, shown = ''): string {
  const { type, chat_id, actor_id, created_at, payload } = event
  const own = actor_id === viewerId && 'client_key' in payload ? { client_key: payload.client_key } : {}
  const data = JSON.stringify({
    type,
    chat_id,
    actor_id,
    created_at: created_at.toISOString(),
    payload: payloadFor(event, viewerId),
    ...own,
  })
  return `id: ${event.position}\nevent: ${type}\ndata: ${data.slice(0, -1)}${shown}}\n\n`
}

/** The same for the viewers of a batch. Most of them see the same of an event, so that its text is made once. */
export function createFrames(): typeof frameOf {
  const frames = new Map<RelayedEvent, Map<string, string>>()
  return (event, viewerId, shown = '') => {
    const isPersonal = 'personal' in event.payload && event.payload.personal
    if (isPersonal || event.actor_id === viewerId) return frameOf(event, viewerId, shown)
    const texts = frames.get(event) ?? new Map<string, string>()
    frames.set(event, texts)
    const text = texts.get(shown) ?? frameOf(event, viewerId, shown)
    texts.set(shown, text)
    return text
  }
}

export interface EphemeralEvent {
  type: 'presence.changed' | 'typing.started'
  chat_id: number | null
  actor_id: number
  created_at: string
  payload: object
}

/** Something in passing: it has no position and is not repeated. */
export function ephemeralFrame(event: EphemeralEvent): string {
  return `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`
}

/** A word of the stream itself: `ready` at the start, `reset` when too much was missed. */
export function noteOf(name: 'ready' | 'reset', position: number, version: string): string {
  const data = JSON.stringify({ position: String(position), version })
  return `id: ${position}\nevent: ${name}\ndata: ${data}\n\n`
}
