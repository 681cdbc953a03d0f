import { type Static, Type } from 'typebox'
import { Id, Nullable, Timestamp } from '../shapes.js'
import { event } from './event.js'

const aboutChat = Type.Object({ chat_id: Id })

export const chatCreated = event({
  type: 'chat.created',
  summary: 'A chat was created.',
  audience: 'chat',
  payload: aboutChat,
})

export const chatUpdated = event({
  type: 'chat.updated',
  summary: 'Name, openness, tags or member roles of a chat changed.',
  audience: 'chat',
  payload: aboutChat,
})

export const chatArchived = event({
  type: 'chat.archived',
  summary: 'A chat was archived.',
  audience: 'chat',
  payload: aboutChat,
})

export const chatUnarchived = event({
  type: 'chat.unarchived',
  summary: 'A chat came back from the archive.',
  audience: 'chat',
  payload: aboutChat,
})

/** Members who joined or left, together. */
export const MembersEventPayload = Type.Object({
  chat_id: Id,
  root_chat_id: Id,
  thread_id: Nullable(Id),
  user_ids: Type.Array(Id),
  created_at: Timestamp,
})
export type MembersEventPayload = Static<typeof MembersEventPayload>

export const chatMembersAdded = event({
  type: 'chat_members.added',
  summary: 'People or bots joined a chat or a thread.',
  audience: 'chat_and_named',
  payload: MembersEventPayload,
})

export const chatMembersRemoved = event({
  type: 'chat_members.removed',
  summary: 'People or bots left a chat or a thread, or were removed.',
  audience: 'chat_and_named',
  payload: MembersEventPayload,
})

// In a large chat everybody's pointer moves all the time; only two people watch each other read.
export const readMoved = event({
  type: 'read.moved',
  summary: 'The read pointer of a person moved, forward or back.',
  audience: 'reader',
  payload: Type.Object({
    chat_id: Id,
    user_id: Id,
    message_id: Type.Integer({
      format: 'int32',
      description: 'Everything up to this id is read; not always the id of a message of the chat.',
    }),
  }),
})

export const threadCreated = event({
  type: 'thread.created',
  summary: 'A thread was started.',
  audience: 'chat',
  payload: Type.Object({
    thread_id: Id,
    chat_id: Type.Integer({ format: 'int32', description: 'The chat of the thread.' }),
    root_chat_id: Id,
    message_id: Nullable(Id, { description: 'Null for a standalone thread.' }),
    message_chat_id: Nullable(Id, { description: 'Null for a standalone thread.' }),
  }),
})
