import { type Static, Type } from 'typebox'
import { MessageEntityType } from '../messages/index.js'
import { WebhookMessageThread } from '../payloads.js'
import { Id, Nullable, Timestamp } from '../shapes.js'
import { event } from './event.js'

/** A message as its events carry it. */
export const MessageEventPayload = Type.Object({
  message_id: Id,
  chat_id: Type.Integer({ format: 'int32', description: 'Inside a thread: the chat of the thread.' }),
  root_chat_id: Type.Integer({
    format: 'int32',
    description: 'Inside a thread: the chat of the parent message.',
  }),
  thread_id: Nullable(Id, { description: 'Thread that the message is in; null outside threads.' }),
  entity_type: MessageEntityType,
  entity_id: Type.Integer({
    format: 'int32',
    description: 'In a personal chat: the other side, as the receiver of the event sees it.',
  }),
  content: Type.String({ description: 'Empty for attachments only, and once the message is deleted.' }),
  user_id: Type.Integer({ format: 'int32', description: 'Author.' }),
  created_at: Timestamp,
  changed_at: Timestamp,
  parent_message_id: Nullable(Id),
  thread: Nullable(WebhookMessageThread),
  personal: Type.Boolean({ description: 'Sent in a personal chat.' }),
  link_preview: Type.Boolean({ description: 'The author asked for a preview of the first link.' }),
  client_key: Type.Optional(
    Type.String({ description: 'Stored only: a frame has it beside the payload, for the sender alone.' }),
  ),
})
export type MessageEventPayload = Static<typeof MessageEventPayload>

const aboutMessage = Type.Object({ message_id: Id, chat_id: Id })

export const messageCreated = event({
  type: 'message.created',
  summary: 'A message was sent or forwarded.',
  audience: 'chat',
  payload: MessageEventPayload,
})

export const messageUpdated = event({
  type: 'message.updated',
  summary: 'A message was edited.',
  audience: 'chat',
  payload: MessageEventPayload,
})

export const messageDeleted = event({
  type: 'message.deleted',
  summary: 'A message was deleted; the row stays, empty.',
  audience: 'chat',
  payload: MessageEventPayload,
})

export const messageSystem = event({
  type: 'message.system',
  summary: 'The server wrote a system message, for example about a new member.',
  audience: 'chat',
  payload: aboutMessage,
})

export const messagePreviewed = event({
  type: 'message.previewed',
  summary: 'The link previews of a message were set.',
  audience: 'chat',
  payload: aboutMessage,
})

export const messageTranscribed = event({
  type: 'message.transcribed',
  summary: 'The transcript of a voice message is ready.',
  audience: 'chat',
  payload: aboutMessage,
})

export const messagePinned = event({
  type: 'message.pinned',
  summary: 'A message was pinned.',
  audience: 'chat',
  payload: aboutMessage,
})

export const messageUnpinned = event({
  type: 'message.unpinned',
  summary: 'A message was unpinned.',
  audience: 'chat',
  payload: aboutMessage,
})

/** A reaction as its events carry it. */
export const ReactionEventPayload = Type.Object({
  chat_id: Id,
  root_chat_id: Id,
  message_id: Id,
  code: Type.String(),
  name: Type.String(),
  user_id: Id,
  created_at: Timestamp,
})
export type ReactionEventPayload = Static<typeof ReactionEventPayload>

export const reactionCreated = event({
  type: 'reaction.created',
  summary: 'A reaction was added.',
  audience: 'chat',
  payload: ReactionEventPayload,
})

export const reactionDeleted = event({
  type: 'reaction.deleted',
  summary: 'A reaction was removed.',
  audience: 'chat',
  payload: ReactionEventPayload,
})
