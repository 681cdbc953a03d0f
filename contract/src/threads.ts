import { type Static, Type } from 'typebox'
import { operation } from './operation.js'
import { EVERYONE } from './scopes.js'
import { annotated, Cursor, Data, Id, Limit, Nullable, Page, TimeInput, Timestamp } from './shapes.js'

/** A thread; it has a chat of its own. */
export const Thread = Type.Object({
  id: Type.Integer({ format: 'int64' }),
  chat_id: Type.Integer({ format: 'int64' }),
  message_id: Nullable(Type.Integer({ format: 'int64' }), { description: 'Null for a standalone thread.' }),
  message_chat_id: Nullable(Type.Integer({ format: 'int64' }), {
    description: 'Null for a standalone thread.',
  }),
  updated_at: Timestamp,
})
export type Thread = Static<typeof Thread>

export const listThreads = operation({
  id: 'listThreads',
  area: 'Threads',
  summary: 'Threads, latest message first',
  access:
    'Membership in the thread chat or in its parent chat is needed; an open chat without membership is not enough.',
  method: 'GET',
  path: '/threads',
  scope: 'threads:read',
  plan: null,
  roles: EVERYONE,
  rate: 'other',
  query: Type.Object({
    last_message_at_after: Type.Optional(
      annotated(TimeInput, { description: 'Last message not earlier than this.' }),
    ),
    last_message_at_before: Type.Optional(
      annotated(TimeInput, { description: 'Last message not later than this.' }),
    ),
    limit: Type.Optional(Limit(50)),
    cursor: Type.Optional(Cursor),
  }),
  returns: { status: 200, body: Page(Thread) },
  neverAnswered: [422],
})

export const createStandaloneThread = operation({
  id: 'createStandaloneThread',
  confined: false,
  area: 'Threads',
  summary: 'Thread without a message',
  access: 'The caller is its only member.',
  method: 'POST',
  path: '/threads',
  scope: 'threads:create',
  plan: null,
  roles: EVERYONE,
  rate: 'other',
  returns: { status: 201, body: Data(Thread) },
})

export const getThread = operation({
  id: 'getThread',
  area: 'Threads',
  summary: 'One thread',
  access: 'Members of the thread or of the parent chat; any employee when the parent chat is open.',
  method: 'GET',
  path: '/threads/{id}',
  scope: 'threads:read',
  plan: null,
  roles: EVERYONE,
  rate: 'other',
  params: Type.Object({ id: Id }),
  returns: { status: 200, body: Data(Thread) },
  problems: { 404: ['not_found'] },
})

export const createThread = operation({
  id: 'createThread',
  area: 'Threads',
  summary: 'Thread under a message',
  description: 'When the message has a thread already, that one is sent back.',
  access: 'Whoever may read the chat; not in an archived chat.',
  method: 'POST',
  path: '/messages/{id}/thread',
  scope: 'threads:create',
  plan: null,
  roles: EVERYONE,
  rate: 'other',
  params: Type.Object({ id: Id }),
  returns: { status: 201, body: Data(Thread) },
  problems: { 400: ['thread_message'], 404: ['not_found', 'message_deleted'] },
  whileSuspended: true,
})
