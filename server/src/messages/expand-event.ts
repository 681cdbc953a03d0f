import type { RelayedEvent } from '../platform/events/relay.js'

/**
 * Events of plain messages, which outnumber all others, are stored without the fields that follow from their row or
 * have their usual value; this adds them, in place: the row was read for this, and to spread objects costs four times as much.
 */
export function expandEvent(event: RelayedEvent): RelayedEvent {
  if (event.type !== 'message.created' && event.type !== 'message.deleted') return event
  const { chat_id, actor_id } = event
  const at = event.created_at.toISOString()
  const usual = {
    chat_id,
    root_chat_id: chat_id,
    thread_id: null,
    entity_type: 'discussion',
    entity_id: chat_id,
    user_id: actor_id,
    created_at: at,
    changed_at: at,
    parent_message_id: null,
    thread: null,
    personal: false,
    link_preview: false,
  }
  event.payload = Object.assign(usual, event.payload)
  return event
}
