import { type Static, Type } from 'typebox'
import { operation } from './operation.js'
import { PEOPLE } from './scopes.js'
import { Id, Nullable, Timestamp } from './shapes.js'

/**
 * The `data` of one server-sent event; its `event` is the type and its `id` the position to resume from. An event
 * named `reset` says that the position asked for is too old, and everything must be read again.
 */
export const LiveEvent = Type.Object({
  type: Type.String({ description: 'Area and past tense, such as message.created.' }),
  chat_id: Nullable(Id),
  actor_id: Id,
  created_at: Timestamp,
  payload: Type.Object({}),
})
export type LiveEvent = Static<typeof LiveEvent>

export const openLive = operation({
  id: 'openLive',
  area: 'Live',
  summary: 'Everything that happens, as it happens',
  description:
    'Server-sent events. A reconnect with `Last-Event-ID` goes on where it ended; without it the stream starts now.',
  access: 'Chats of the caller and their threads, and what concerns the caller alone.',
  method: 'GET',
  path: '/live',
  scope: null,
  plan: null,
  roles: PEOPLE,
  rate: 'other',
  sessionOnly: true,
  addition: true,
  returns: { status: 200, media: 'text/event-stream' },
  problems: { 400: ['invalid'] },
})
