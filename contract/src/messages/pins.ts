import { Type } from 'typebox'
import { operation } from '../operation.js'
import { EVERYONE, PEOPLE } from '../scopes.js'
import { Cursor, Id, Limit, Page } from '../shapes.js'
import { Message } from './message.js'

export const pinMessage = operation({
  id: 'pinMessage',
  area: 'Messages',
  summary: 'Pin a message',
  access: 'Whoever may write to the chat.',
  method: 'POST',
  path: '/messages/{id}/pin',
  scope: 'pins:write',
  plan: null,
  roles: EVERYONE,
  rate: 'other',
  params: Type.Object({ id: Id }),
  returns: { status: 204 },
  problems: { 404: ['not_found'], 409: ['already_exists'], 422: ['pin_failed', 'message_deleted'] },
  whileSuspended: true,
})

export const unpinMessage = operation({
  id: 'unpinMessage',
  area: 'Messages',
  summary: 'Unpin a message',
  access: 'Whoever may write to the chat.',
  method: 'DELETE',
  path: '/messages/{id}/pin',
  scope: 'pins:write',
  plan: null,
  roles: EVERYONE,
  rate: 'other',
  params: Type.Object({ id: Id }),
  returns: { status: 204 },
  problems: { 404: ['not_found'] },
  whileSuspended: true,
})

export const listPins = operation({
  id: 'listPins',
  area: 'Messages',
  summary: 'Pinned messages of a chat, latest pin first',
  access: 'Whoever may read the chat.',
  method: 'GET',
  path: '/chats/{id}/pins',
  scope: 'messages:read',
  plan: null,
  roles: PEOPLE,
  rate: 'other',
  addition: true,
  params: Type.Object({ id: Id }),
  query: Type.Object({ limit: Type.Optional(Limit(50)), cursor: Type.Optional(Cursor) }),
  returns: { status: 200, body: Page(Message) },
  problems: { 404: ['not_found'] },
})
