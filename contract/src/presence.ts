import { type Static, Type } from 'typebox'
import { operation } from './operation.js'
import { PEOPLE } from './scopes.js'
import { Enum, Id } from './shapes.js'

/** `active` and `away` have the client open; `offline` is everybody else. */
export const Presence = Enum(['active', 'away', 'offline'])
export type Presence = Static<typeof Presence>

/** One person's presence; also the payload of the live event `presence.changed`. */
export const PersonPresence = Type.Object({ user_id: Id, presence: Presence })
export type PersonPresence = Static<typeof PersonPresence>

/** Payload of the live event `typing.started`; it holds for six seconds or until the person's next message. */
export const Typing = Type.Object({ chat_id: Id, user_id: Id })
export type Typing = Static<typeof Typing>

const present = {
  area: 'Presence',
  plan: null,
  roles: PEOPLE,
  rate: 'other',
  addition: true,
} as const

export const listPresence = operation({
  ...present,
  id: 'listPresence',
  scope: 'users:read',
  summary: 'Who is online',
  description:
    'Whoever holds a live stream open, or held one in the last ten seconds. Changes come as live events `presence.changed`, which have no position and are not repeated after a reconnect: read this list then.',
  access: 'A multi-guest sees those who share a chat with them.',
  method: 'GET',
  path: '/presence',
  returns: { status: 200, body: Type.Object({ data: Type.Array(PersonPresence) }) },
})

export const setOwnPresence = operation({
  ...present,
  id: 'setOwnPresence',
  dryRun: false,
  scope: 'profile_status:write',
  summary: 'Say that the own device is in use, or left alone',
  description:
    'Counts for the session while its live stream is open, which begins as active. Somebody with several sessions is active while one of them is.',
  method: 'PUT',
  path: '/presence',
  body: Type.Object({ presence: Enum(['active', 'away']) }),
  returns: { status: 204 },
  problems: { 400: ['inclusion'], 422: ['blank'] },
})

export const sendTyping = operation({
  ...present,
  id: 'sendTyping',
  dryRun: false,
  scope: 'messages:create',
  summary: 'Say that the caller is writing in a chat',
  description:
    'Members with a live stream hear `typing.started`, but not the caller. Once in three seconds and chat is enough; more often is accepted and not passed on.',
  access: 'Whoever may write in the chat.',
  method: 'POST',
  path: '/chats/{id}/typing',
  params: Type.Object({ id: Id }),
  returns: { status: 204 },
  problems: { 403: ['not_authorized'], 404: ['not_found'] },
})
