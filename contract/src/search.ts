import { type Static, Type } from 'typebox'
import { Chat, ChatSubtype } from './chats.js'
import { Message } from './messages/index.js'
import { operation } from './operation.js'
import { EVERYONE } from './scopes.js'
import { annotated, Cursor, Enum, Id, Limit, SearchPage, SortOrder, TimeInput } from './shapes.js'
import { User, UserRole } from './users.js'

/** Sort key of message search. */
export const MessageSearchSort = Enum(['created_at', 'relevance'])
export type MessageSearchSort = Static<typeof MessageSearchSort>

/** Sort key of employee search. */
export const SearchSortOrder = Enum(['by_score', 'alphabetical', 'creation'])
export type SearchSortOrder = Static<typeof SearchSortOrder>

export const searchChats = operation({
  id: 'searchChats',
  area: 'Search',
  summary: 'Search chats',
  access: 'What the caller may read. Logged as search_chats_api.',
  mayLag: true,
  method: 'GET',
  path: '/search/chats',
  scope: 'search:chats',
  plan: null,
  roles: EVERYONE,
  rate: 'other',
  query: Type.Object({
    query: Type.String({ minLength: 1, description: 'Text to look for.' }),
    limit: Type.Optional(Limit(100)),
    cursor: Type.Optional(Cursor),
    order: Type.Optional(annotated(SortOrder, { description: 'Direction.' })),
    created_from: Type.Optional(annotated(TimeInput, { description: 'Created at or after.' })),
    created_to: Type.Optional(annotated(TimeInput, { description: 'Created at or before.' })),
    active: Type.Optional(Type.Boolean({ description: 'Chat is active (true) or archived (false).' })),
    chat_subtype: Type.Optional(annotated(ChatSubtype, { description: 'Kind of chat.' })),
    personal: Type.Optional(Type.Boolean({ description: 'Personal chats only, or none of them.' })),
  }),
  returns: { status: 200, body: SearchPage(Chat) },
  problems: { 400: ['required', 'min_length'], 503: ['service_unavailable'], 504: ['timeout'] },
})

export const searchMessages = operation({
  id: 'searchMessages',
  area: 'Search',
  summary: 'Search messages',
  access: 'What the caller may read. Logged as search_messages_api.',
  mayLag: true,
  method: 'GET',
  path: '/search/messages',
  scope: 'search:messages',
  plan: null,
  roles: EVERYONE,
  rate: 'other',
  query: Type.Object({
    query: Type.String({ minLength: 1, description: 'Text to look for.' }),
    limit: Type.Optional(Limit(200)),
    cursor: Type.Optional(Cursor),
    order: Type.Optional(annotated(SortOrder, { description: 'Direction.' })),
    sort: Type.Optional(annotated(MessageSearchSort, { default: 'created_at', description: 'Sort key.' })),
    created_from: Type.Optional(annotated(TimeInput, { description: 'Created at or after.' })),
    created_to: Type.Optional(annotated(TimeInput, { description: 'Created at or before.' })),
    chat_ids: Type.Optional(Type.Array(Id, { description: 'Chats. Comma-separated.' })),
    user_ids: Type.Optional(Type.Array(Id, { description: 'Authors. Comma-separated.' })),
    active: Type.Optional(Type.Boolean({ description: 'Chat is active (true) or archived (false).' })),
  }),
  returns: { status: 200, body: SearchPage(Message) },
  problems: { 400: ['required', 'min_length'], 503: ['service_unavailable'], 504: ['timeout'] },
})

export const searchUsers = operation({
  id: 'searchUsers',
  area: 'Search',
  summary: 'Search employees',
  access: 'What the caller may read. Logged as search_users_api.',
  mayLag: true,
  method: 'GET',
  path: '/search/users',
  scope: 'search:users',
  plan: null,
  roles: EVERYONE,
  rate: 'other',
  query: Type.Object({
    query: Type.String({ minLength: 1, description: 'Text to look for.' }),
    limit: Type.Optional(Limit(200)),
    cursor: Type.Optional(Cursor),
    sort: Type.Optional(annotated(SearchSortOrder, { description: 'Sort key.' })),
    order: Type.Optional(annotated(SortOrder, { description: 'Direction.' })),
    created_from: Type.Optional(annotated(TimeInput, { description: 'Created at or after.' })),
    created_to: Type.Optional(annotated(TimeInput, { description: 'Created at or before.' })),
    company_roles: Type.Optional(Type.Array(UserRole, { description: 'Roles. Comma-separated.' })),
  }),
  returns: { status: 200, body: SearchPage(User) },
  problems: { 400: ['required', 'min_length'], 503: ['service_unavailable'], 504: ['timeout'] },
})
