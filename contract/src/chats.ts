import { type Static, Type } from 'typebox'
import { operation } from './operation.js'
import { EMPLOYEES_AND_BOTS, EVERYONE } from './scopes.js'
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
  TimeInput,
  Timestamp,
} from './shapes.js'

/** Conversation, channel or personal chat. */
export const Chat = Type.Object({
  id: Id,
  name: Type.String({ maxLength: 255 }),
  description: Nullable(Type.String(), { description: 'What the chat is for.' }),
  created_at: Timestamp,
  owner_id: Type.Integer({
    format: 'int32',
    description: 'Creator; never handed over, also not after the creator was deleted.',
  }),
  member_ids: Type.Array(Id, {
    description: 'In the single-chat read only active members; suspended ones are left out.',
  }),
  group_tag_ids: Type.Array(Id),
  channel: Type.Boolean(),
  archived: Type.Boolean(),
  personal: Type.Boolean(),
  public: Type.Boolean(),
  last_message_at: annotated(Timestamp, { description: 'For a chat without messages: the creation time.' }),
  meet_room_url: Type.String({ description: 'Address of the video room.' }),
})
export type Chat = Static<typeof Chat>

/** Filter of the workspace chat list. */
export const ChatActivity = Enum(['active', 'archived'])
export type ChatActivity = Static<typeof ChatActivity>

/** is_member: chats the caller belongs to; public: every open chat of the workspace. */
export const ChatAvailability = Enum(['is_member', 'public'])
export type ChatAvailability = Static<typeof ChatAvailability>

const Description = Nullable(Type.String({ maxLength: 1024 }), {
  description: 'What the chat is for; null or blanks clear it.',
})

/** New conversation or channel. */
export const ChatCreateRequest = Type.Object({
  chat: Type.Object({
    name: Type.String({ maxLength: 255 }),
    description: Type.Optional(Description),
    member_ids: Type.Optional(
      Type.Array(Id, {
        maxItems: 1000,
        description: 'Unknown, suspended and deleted ids are dropped without an error.',
      }),
    ),
    group_tag_ids: Type.Optional(
      Type.Array(Id, {
        description: 'Brings in the people of the tags and follows later changes of the tags.',
      }),
    ),
    channel: Type.Optional(Type.Boolean({ default: false })),
    public: Type.Optional(Type.Boolean({ default: false })),
  }),
})
export type ChatCreateRequest = Static<typeof ChatCreateRequest>

/** Sort key of the chat list. */
export const ChatSortField = Enum(['id', 'last_message_at'])
export type ChatSortField = Static<typeof ChatSortField>

/** Kind of chat in search. */
export const ChatSubtype = Enum(['discussion', 'thread'])
export type ChatSubtype = Static<typeof ChatSubtype>

/** Name and openness; members are changed elsewhere. */
export const ChatUpdateRequest = Type.Object({
  chat: Type.Object({
    name: Type.Optional(Type.String({ maxLength: 255 })),
    description: Type.Optional(Description),
    public: Type.Optional(Type.Boolean()),
  }),
})
export type ChatUpdateRequest = Static<typeof ChatUpdateRequest>

/** From where on the chat becomes unread. */
export const MarkUnreadRequest = Type.Object({
  message_id: Type.Optional(
    Type.Integer({
      format: 'int32',
      minimum: 1,
      description: 'This message and all later ones; absent means the last message.',
    }),
  ),
})
export type MarkUnreadRequest = Static<typeof MarkUnreadRequest>

export const listChats = operation({
  id: 'listChats',
  area: 'Chats',
  summary: 'Chats',
  access: 'Threads are never listed.',
  method: 'GET',
  path: '/chats',
  scope: 'chats:read',
  plan: null,
  roles: EVERYONE,
  rate: 'chats-page',
  query: Type.Object({
    sort: Type.Optional(annotated(ChatSortField, { default: 'id', description: 'Sort key.' })),
    order: Type.Optional(annotated(SortOrder, { default: 'desc', description: 'Direction.' })),
    availability: Type.Optional(
      annotated(ChatAvailability, { default: 'is_member', description: 'Which chats.' }),
    ),
    archived: Type.Optional(
      Type.Boolean({ default: false, description: 'True adds archived chats to the active ones.' }),
    ),
    last_message_at_after: Type.Optional(
      annotated(TimeInput, { description: 'Keep chats with a last message after this moment.' }),
    ),
    last_message_at_before: Type.Optional(
      annotated(TimeInput, { description: 'Keep chats with a last message before this moment.' }),
    ),
    personal: Type.Optional(
      Type.Boolean({ description: 'Personal or group chats only; absent means both.' }),
    ),
    limit: Type.Optional(Limit(50)),
    cursor: Type.Optional(Cursor),
    per: Type.Optional(PerPage(50, 50)),
    page: Type.Optional(PageNumber),
  }),
  returns: { status: 200, body: Page(Chat) },
  neverAnswered: [422],
})

export const createChat = operation({
  id: 'createChat',
  confined: false,
  area: 'Chats',
  summary: 'New conversation or channel',
  access: 'The caller becomes the owner and a member.',
  method: 'POST',
  path: '/chats',
  scope: 'chats:create',
  plan: null,
  roles: EMPLOYEES_AND_BOTS,
  rate: 'other',
  body: ChatCreateRequest,
  returns: { status: 201, body: Data(Chat) },
  problems: {
    403: ['bot_add_denied', 'not_authorized'],
    409: ['single_chat_bot_occupied'],
    422: ['blank', 'too_long', 'displayed_error'],
  },
})

export const getChat = operation({
  id: 'getChat',
  area: 'Chats',
  summary: 'One chat',
  access: 'Members; any employee for an open chat. The workspace owner gains nothing here.',
  method: 'GET',
  path: '/chats/{id}',
  scope: 'chats:read',
  plan: null,
  roles: EVERYONE,
  rate: 'other',
  params: Type.Object({ id: Id }),
  returns: { status: 200, body: Data(Chat) },
  problems: { 404: ['not_found'] },
})

export const updateChat = operation({
  id: 'updateChat',
  area: 'Chats',
  summary: 'Rename a chat, open or close it',
  access:
    'Closed chat: chat owner and chat admins. Open chat: any employee. Not for personal or archived chats.',
  method: 'PUT',
  path: '/chats/{id}',
  scope: 'chats:update',
  plan: null,
  roles: EVERYONE,
  rate: 'other',
  params: Type.Object({ id: Id }),
  body: ChatUpdateRequest,
  returns: { status: 200, body: Data(Chat) },
  problems: { 404: ['not_found'], 422: ['blank', 'too_long'] },
})

export const archiveChat = operation({
  id: 'archiveChat',
  area: 'Chats',
  summary: 'Archive a chat',
  description: 'Guests leave, tags are unbound, new messages are refused, threads stay open.',
  access: 'Chat owner and chat admins; conversations and channels only.',
  method: 'PUT',
  path: '/chats/{id}/archive',
  scope: 'chats:archive',
  plan: null,
  roles: EVERYONE,
  rate: 'other',
  params: Type.Object({ id: Id }),
  returns: { status: 204 },
  problems: { 404: ['not_found'] },
  whileSuspended: true,
})

export const unarchiveChat = operation({
  id: 'unarchiveChat',
  area: 'Chats',
  summary: 'Bring a chat back from the archive',
  description: 'Guests and tags do not come back. An active chat stays as it is, also with 204.',
  access: 'Chat owner and chat admins.',
  method: 'PUT',
  path: '/chats/{id}/unarchive',
  scope: 'chats:archive',
  plan: null,
  roles: EVERYONE,
  rate: 'other',
  params: Type.Object({ id: Id }),
  returns: { status: 204 },
  problems: { 404: ['not_found'] },
  whileSuspended: true,
})

export const markChatUnread = operation({
  id: 'markChatUnread',
  area: 'Chats',
  summary: 'Make a chat unread for the caller',
  access: 'Chats of the caller; only the own counter changes.',
  method: 'PUT',
  path: '/chats/{id}/unread',
  scope: 'chats:mark_unread',
  plan: null,
  roles: EVERYONE,
  rate: 'other',
  params: Type.Object({ id: Id }),
  body: MarkUnreadRequest,
  bodyOptional: true,
  returns: { status: 204 },
  problems: { 404: ['not_found'] },
})
