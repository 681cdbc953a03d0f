import { type Static, Type } from 'typebox'
import { operation } from './operation.js'
import { EMPLOYEES_AND_BOTS, EVERYONE } from './scopes.js'
import { annotated, Cursor, Enum, Id, Limit, Page } from './shapes.js'
import { User } from './users.js'

/** Employees and bots by user id. */
export const AddMembersRequest = Type.Object({
  member_ids: Type.Array(Id, { maxItems: 1000 }),
  silent: Type.Optional(Type.Boolean({ description: 'No system message about the addition.' })),
})
export type AddMembersRequest = Static<typeof AddMembersRequest>

/** Tags to bind. */
export const AddTagsRequest = Type.Object({
  group_tag_ids: Type.Array(Id),
})
export type AddTagsRequest = Static<typeof AddTagsRequest>

/** Role in a chat that can be assigned; `editor` exists in channels only. */
export const ChatMemberRole = Enum(['admin', 'editor', 'member'])
export type ChatMemberRole = Static<typeof ChatMemberRole>

/** Role filter of the roster. */
export const ChatMemberRoleFilter = Enum(['all', 'owner', 'admin', 'editor', 'member'])
export type ChatMemberRoleFilter = Static<typeof ChatMemberRoleFilter>

/** New role in the chat. */
export const UpdateMemberRoleRequest = Type.Object({
  role: ChatMemberRole,
})
export type UpdateMemberRoleRequest = Static<typeof UpdateMemberRoleRequest>

export const listChatMembers = operation({
  id: 'listChatMembers',
  area: 'Chat members',
  summary: 'Roster of a chat or thread',
  access:
    'The workspace owner for any chat; everybody else for chats they are in and for open chats. Suspended people are left out.',
  method: 'GET',
  path: '/chats/{id}/members',
  scope: 'chat_members:read',
  plan: null,
  roles: EVERYONE,
  rate: 'other',
  params: Type.Object({ id: Id }),
  query: Type.Object({
    role: Type.Optional(
      annotated(ChatMemberRoleFilter, {
        default: 'all',
        description: 'Role in the chat; it is a filter only and is not sent back.',
      }),
    ),
    limit: Type.Optional(Limit(50)),
    cursor: Type.Optional(Cursor),
  }),
  returns: { status: 200, body: Page(User) },
  problems: { 404: ['not_found'] },
  neverAnswered: [422],
  whileSuspended: true,
})

export const addChatMembers = operation({
  id: 'addChatMembers',
  area: 'Chat members',
  summary: 'Add people and bots',
  description:
    'A bot becomes editor in a channel and member in a conversation; the workspace owner and admins become chat admins.',
  access: 'Members of a closed chat; any employee for an open chat.',
  method: 'POST',
  path: '/chats/{id}/members',
  scope: 'chat_members:write',
  plan: null,
  roles: EMPLOYEES_AND_BOTS,
  rate: 'other',
  params: Type.Object({ id: Id }),
  body: AddMembersRequest,
  returns: { status: 204 },
  problems: {
    403: ['bot_add_denied', 'not_authorized'],
    404: ['not_found', 'bot_add_denied'],
    409: ['single_chat_bot_occupied'],
    422: ['blank', 'too_long', 'personal_chat', 'displayed_error'],
  },
  whileSuspended: true,
})

export const setChatMemberRole = operation({
  id: 'setChatMemberRole',
  area: 'Chat members',
  summary: 'Change a role in the chat',
  access: 'Chat owner and chat admins; not for oneself, not for the chat owner.',
  method: 'PUT',
  path: '/chats/{id}/members/{user_id}',
  scope: 'chat_members:write',
  plan: null,
  roles: EVERYONE,
  rate: 'other',
  params: Type.Object({ id: Id, user_id: Id }),
  body: UpdateMemberRoleRequest,
  returns: { status: 204 },
  problems: {
    400: ['in'],
    403: ['not_authorized'],
    404: ['not_found'],
    422: ['self_update', 'owner_protected', 'not_applicable', 'already_assigned', 'blank'],
  },
  whileSuspended: true,
})

export const removeChatMember = operation({
  id: 'removeChatMember',
  area: 'Chat members',
  summary: 'Remove a member',
  access: 'Chat owner and chat admins; the chat owner cannot be removed.',
  method: 'DELETE',
  path: '/chats/{id}/members/{user_id}',
  scope: 'chat_members:write',
  plan: null,
  roles: EVERYONE,
  rate: 'other',
  params: Type.Object({ id: Id, user_id: Id }),
  returns: { status: 204 },
  problems: { 403: ['cannot_kick_owner', 'not_authorized'], 404: ['not_found'] },
  whileSuspended: true,
})

export const leaveChat = operation({
  id: 'leaveChat',
  area: 'Chat members',
  summary: 'Leave a chat or thread',
  access: 'Members. Allowed in an archived chat.',
  method: 'DELETE',
  path: '/chats/{id}/leave',
  scope: 'chats:leave',
  plan: null,
  roles: EMPLOYEES_AND_BOTS,
  rate: 'other',
  params: Type.Object({ id: Id }),
  returns: { status: 204 },
  problems: { 404: ['not_found'], 422: ['personal_chat'] },
  whileSuspended: true,
})

export const bindChatTags = operation({
  id: 'bindChatTags',
  area: 'Chat members',
  summary: 'Bind tags to a chat',
  description:
    'People of the tags join and stay in sync. A tag that is bound already loads its people again. A bot that the caller may not add does not join and is named in `Parley-Ignored` as `bot_id:<id>`.',
  access: 'Members of a closed chat; any employee for an open chat.',
  method: 'POST',
  aliases: ['PUT'],
  path: '/chats/{id}/group_tags',
  scope: 'chat_members:write',
  plan: null,
  roles: EMPLOYEES_AND_BOTS,
  rate: 'other',
  params: Type.Object({ id: Id }),
  body: AddTagsRequest,
  returns: { status: 204 },
  problems: { 404: ['not_found'], 422: ['blank', 'personal_chat'] },
  whileSuspended: true,
})

export const unbindChatTag = operation({
  id: 'unbindChatTag',
  area: 'Chat members',
  summary: 'Unbind a tag',
  description:
    'People held only by this tag leave shortly after; the owner, people of other bound tags and people added by hand stay.',
  access: 'Chat owner and chat admins.',
  method: 'DELETE',
  path: '/chats/{id}/group_tags/{tag_id}',
  scope: 'chat_members:write',
  plan: null,
  roles: EVERYONE,
  rate: 'other',
  params: Type.Object({ id: Id, tag_id: Id }),
  returns: { status: 204 },
  problems: { 404: ['not_found'] },
  whileSuspended: true,
})
