import { type Static, Type } from 'typebox'
import { File } from '../files.js'
import { annotated, Enum, Id, Nullable, NullableTimestamp, Timestamp } from '../shapes.js'

/** Where a message belongs: conversation or channel, thread, or personal chat with a user. */
export const MessageEntityType = Enum(['discussion', 'thread', 'user'])
export type MessageEntityType = Static<typeof MessageEntityType>

/** Either `url` (link) or `data` (sent to the bot when pressed). */
export const Button = Type.Object({
  text: Type.String({ maxLength: 255 }),
  url: Type.Optional(Type.String({ maxLength: 1024 })),
  data: Type.Optional(Type.String({ maxLength: 255 })),
})
export type Button = Static<typeof Button>

/** Rows of buttons: at most 32 rows, 8 in a row, 100 in a message. */
export const ButtonRows = Type.Array(Type.Array(Button, { maxItems: 8 }), { maxItems: 32 })
export type ButtonRows = Static<typeof ButtonRows>

/** Origin of a forwarded message. */
export const Forwarding = Type.Object({
  original_message_id: Id,
  original_chat_id: Id,
  author_id: Id,
  original_created_at: Timestamp,
  original_thread_id: Nullable(Id),
  original_thread_message_id: Nullable(Id),
  original_thread_parent_chat_id: Nullable(Id),
})
export type Forwarding = Static<typeof Forwarding>

/** Data of a voice attachment. In a draft the transcript is always null. */
export const VoiceContent = Type.Object({
  duration_ms: Type.Integer({ format: 'int32' }),
  waveform: Type.String(),
  transcript: Nullable(Type.String()),
})
export type VoiceContent = Static<typeof VoiceContent>

/** A message. */
export const Message = Type.Object({
  id: Id,
  entity_type: MessageEntityType,
  entity_id: Id,
  chat_id: Id,
  root_chat_id: Type.Integer({
    format: 'int32',
    description:
      'For a thread message: the chat of the parent message. Otherwise, and in a standalone thread, equal to chat_id.',
  }),
  content: Type.String({ description: 'Empty for attachments only and for a deleted message.' }),
  user_id: Id,
  created_at: Timestamp,
  url: Type.String(),
  files: Type.Array(File),
  voice_content: Nullable(VoiceContent),
  buttons: Nullable(Type.Array(Type.Array(Button)), {
    description: 'Rows of buttons; null when sent without.',
  }),
  thread: Nullable(
    Type.Object({
      id: Type.Integer({ format: 'int64' }),
      chat_id: Type.Integer({ format: 'int64' }),
    }),
    {
      description:
        'Thread started under this message; null when there is none and for messages inside a thread.',
    },
  ),
  forwarding: Nullable(Forwarding),
  parent_message_id: Nullable(Id),
  display_avatar_url: Type.Optional(
    Nullable(Type.String(), {
      description: 'Present only on messages of bots; null when the bot did not override it.',
    }),
  ),
  display_name: Type.Optional(
    Nullable(Type.String(), {
      description: 'Present only on messages of bots; null when the bot did not override it.',
    }),
  ),
  changed_at: annotated(NullableTimestamp, { description: 'Equals created_at until the first edit.' }),
  deleted_at: annotated(NullableTimestamp, {
    description: 'Set on a deleted message, which single reads still return, emptied; lists leave it out.',
  }),
  system: Type.Boolean({
    description: 'Written by the server to tell what somebody did to the chat. An addition of ours.',
  }),
})
export type Message = Static<typeof Message>
