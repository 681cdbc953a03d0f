import { type Static, Type } from 'typebox'
import { operation } from '../operation.js'
import { EVERYONE, PEOPLE } from '../scopes.js'
import {
  annotated,
  Cursor,
  Data,
  Enum,
  Id,
  Limit,
  Nullable,
  Page,
  PageNumber,
  PerPage,
  SortOrder,
} from '../shapes.js'
import { Message } from './message.js'

/** Only one sort key exists. */
export const MessageSortField = Enum(['id'])
export type MessageSortField = Static<typeof MessageSortField>

export const listMessages = operation({
  id: 'listMessages',
  area: 'Messages',
  summary: 'Messages of a chat',
  access: 'Members; any employee for an open chat. Deleted messages are left out.',
  method: 'GET',
  path: '/messages',
  scope: 'messages:read',
  plan: null,
  roles: EVERYONE,
  rate: 'messages-read',
  query: Type.Object({
    chat_id: Type.Integer({ format: 'int32', description: 'Chat id, also of a thread chat.' }),
    sort: Type.Optional(annotated(MessageSortField, { default: 'id', description: 'Sort key.' })),
    order: Type.Optional(annotated(SortOrder, { default: 'desc', description: 'Direction.' })),
    limit: Type.Optional(Limit(50)),
    cursor: Type.Optional(Cursor),
    per: Type.Optional(PerPage(50, 25)),
    page: Type.Optional(PageNumber),
  }),
  returns: { status: 200, body: Page(Message) },
  problems: { 404: ['not_found'] },
  neverAnswered: [422],
})

export const getMessage = operation({
  id: 'getMessage',
  area: 'Messages',
  summary: 'One message',
  access: 'Whoever may read the chat. A deleted message is sent back emptied, with deleted_at.',
  method: 'GET',
  path: '/messages/{id}',
  scope: 'messages:read',
  plan: null,
  roles: EVERYONE,
  rate: 'messages-read',
  params: Type.Object({ id: Id }),
  returns: { status: 200, body: Data(Message) },
  problems: { 404: ['not_found'] },
})

export const listReadMemberIds = operation({
  id: 'listReadMemberIds',
  area: 'Read members',
  summary: 'Who has read a message',
  access: 'Whoever may read the chat.',
  method: 'GET',
  path: '/messages/{id}/read_member_ids',
  scope: 'messages:read',
  plan: null,
  roles: EVERYONE,
  rate: 'other',
  params: Type.Object({ id: Id }),
  query: Type.Object({
    limit: Type.Optional(Limit(300)),
    cursor: Type.Optional(Cursor),
    per: Type.Optional(PerPage(300, 300)),
    page: Type.Optional(PageNumber),
  }),
  returns: { status: 200, body: Page(Type.Integer({ format: 'int32' })) },
  problems: { 404: ['not_found'] },
  neverAnswered: [422],
})

export const markChatRead = operation({
  id: 'markChatRead',
  area: 'Messages',
  summary: 'Move the read pointer of the caller forward',
  access: 'Chats and threads of the caller.',
  method: 'PUT',
  path: '/chats/{id}/read',
  scope: 'messages:read',
  plan: null,
  roles: PEOPLE,
  rate: 'other',
  addition: true,
  params: Type.Object({ id: Id }),
  body: Type.Object({
    message_id: Type.Optional(annotated(Id, { description: 'Absent means the newest message.' })),
  }),
  bodyOptional: true,
  returns: { status: 204 },
  problems: { 404: ['not_found'] },
})

export const markAllRead = operation({
  id: 'markAllRead',
  area: 'Messages',
  summary: 'Move every read pointer of the caller to the newest message',
  access: 'Chats and threads of the caller.',
  method: 'PUT',
  path: '/unread/read_all',
  scope: 'messages:read',
  plan: null,
  roles: PEOPLE,
  rate: 'other',
  addition: true,
  returns: { status: 204 },
})

/** How much of a chat the caller has not read. */
export const Unread = Type.Object({
  chat_id: Id,
  thread_id: Nullable(Type.Integer({ format: 'int64' })),
  read_message_id: Type.Integer({ format: 'int64', description: '0 when nothing was read.' }),
  unread_count: Type.Integer({ description: 'Counted up to 100.' }),
  mentioned: Type.Boolean({
    description: 'One of the messages that were counted names the caller, a tag of the caller, or all.',
  }),
})
export type Unread = Static<typeof Unread>

export const listUnread = operation({
  id: 'listUnread',
  area: 'Messages',
  summary: 'Chats and threads with something unread',
  access: 'Chats and threads of the caller, by chat id, newest chat first.',
  method: 'GET',
  path: '/unread',
  scope: 'messages:read',
  plan: null,
  roles: PEOPLE,
  rate: 'other',
  addition: true,
  query: Type.Object({
    limit: Type.Optional(Limit(300)),
    cursor: Type.Optional(Cursor),
  }),
  returns: { status: 200, body: Page(Unread) },
})
