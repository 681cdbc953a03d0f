import type { ChatFor } from '../chats/queries.js'
import type { MessageRow } from './queries.js'
import { entityOf } from './target.js'

/** In a personal chat each side sees the other: a message to the viewer belongs to the person who wrote it. */
export function entityIdFor(
  message: { personal: boolean; user_id: number; entity_id: number },
  viewerId: number,
): number {
  return message.personal && message.user_id !== viewerId ? message.user_id : message.entity_id
}

/** The payload of an event about a message: all that webhooks and live updates need. */
export function messagePayload(
  message: MessageRow,
  chat: ChatFor,
  more: { link_preview?: boolean; client_key?: string } = {},
) {
  return {
    message_id: message.id,
    chat_id: message.chat_id,
    root_chat_id: message.root_chat_id,
    thread_id: chat.thread_id,
    ...entityOf(chat, message.user_id),
    content: message.content,
    user_id: message.user_id,
    created_at: message.created_at.toISOString(),
    changed_at: message.changed_at.toISOString(),
    parent_message_id: message.parent_message_id,
    thread:
      chat.kind === 'thread'
        ? { message_id: chat.thread_message_id, message_chat_id: chat.parent_chat_id }
        : null,
    personal: chat.kind === 'personal',
    link_preview: more.link_preview ?? false,
    ...(more.client_key === undefined ? {} : { client_key: more.client_key }),
  }
}
