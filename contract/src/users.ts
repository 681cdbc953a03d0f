import { type Static, Type } from 'typebox'
import { CustomProperty } from './custom-properties.js'
import { operation } from './operation.js'
import { ADMINS, EVERYONE } from './scopes.js'
import {
  annotated,
  Cursor,
  Data,
  Enum,
  Id,
  Limit,
  Nullable,
  NullableTimestamp,
  PageNumber,
  PaginationMeta,
  PerPage,
  SearchPaginationMeta,
  TimeInput,
  Timestamp,
} from './shapes.js'

/** Address of the avatar. */
export const AvatarData = Type.Object({
  image_url: Type.String(),
})
export type AvatarData = Static<typeof AvatarData>

/** State of the invitation. */
export const InviteStatus = Enum(['confirmed', 'sent'])
export type InviteStatus = Static<typeof InviteStatus>

/** New status; the away message is a plain string here. */
export const StatusUpdateRequest = Type.Object({
  status: Type.Object(
    {
      emoji: Type.Optional(Type.String()),
      title: Type.Optional(Type.String({ maxLength: 50 })),
      expires_at: Type.Optional(TimeInput),
      is_away: Type.Optional(Type.Boolean()),
      away_message: Type.Optional(Type.String({ maxLength: 1024 })),
    },
    { description: 'Emoji and title are needed where no status is set yet.' },
  ),
})
export type StatusUpdateRequest = Static<typeof StatusUpdateRequest>

/** Role in the workspace as sent back; the owner reads as admin. */
export const UserRole = Enum(['admin', 'user', 'multi_guest', 'guest'])
export type UserRole = Static<typeof UserRole>

/** Status of a person. */
export const UserStatus = Type.Object({
  emoji: Type.String(),
  title: Type.String({ maxLength: 50 }),
  expires_at: annotated(NullableTimestamp, { description: 'Null means it stays until removed.' }),
  is_away: Type.Boolean(),
  away_message: Nullable(
    Type.Object({
      text: Type.String({ maxLength: 1024 }),
    }),
    { description: 'An object in answers, a plain string in requests.' },
  ),
})
export type UserStatus = Static<typeof UserStatus>

/** Employee, guest or bot. The workspace owner has the role `admin` here. */
export const User = Type.Object({
  id: Id,
  first_name: Nullable(Type.String({ maxLength: 255 }), {
    description: 'Null until an invited person has signed up.',
  }),
  last_name: Nullable(Type.String({ maxLength: 255 })),
  nickname: Type.String({ maxLength: 255 }),
  email: Nullable(Type.String({ maxLength: 255 }), {
    description: 'Null when the caller may not see personal data.',
  }),
  phone_number: Nullable(Type.String({ maxLength: 255 }), {
    description: 'Null when the caller may not see personal data.',
  }),
  department: Nullable(Type.String({ maxLength: 255 })),
  title: Nullable(Type.String()),
  role: UserRole,
  suspended: Type.Boolean(),
  invite_status: InviteStatus,
  inviter_id: Nullable(Id, { description: 'Null when nobody invited or the inviter is gone.' }),
  list_tags: Type.Array(Type.String(), { description: 'Tag names.' }),
  custom_properties: Type.Array(CustomProperty),
  user_status: Nullable(UserStatus),
  bot: Type.Boolean(),
  sso: Type.Boolean(),
  created_at: Timestamp,
  last_activity_at: annotated(NullableTimestamp, { description: 'Null before the first sign-in.' }),
  time_zone: Nullable(Type.String({ maxLength: 32 }), {
    description: 'Null when the workspace zone applies.',
  }),
  image_url: Nullable(Type.String(), { description: 'Null without an avatar.' }),
})
export type User = Static<typeof User>

/** Role at creation. A guest needs chat_ids with exactly one active chat. */
export const UserCreateRole = Enum(['admin', 'user', 'multi_guest', 'guest'])
export type UserCreateRole = Static<typeof UserCreateRole>

/** Anything but an array of non-empty strings is ignored. */
const TagNames = Type.Array(Type.String({ 'x-when-invalid': 'ignore' }), {
  description: 'Tag names.',
  'x-when-invalid': 'ignore',
})

/** New employee. */
export const UserCreateRequest = Type.Object({
  user: Type.Object({
    first_name: Type.Optional(Type.String({ maxLength: 255 })),
    last_name: Type.Optional(Type.String({ maxLength: 255 })),
    email: Type.String({ maxLength: 255 }),
    phone_number: Type.Optional(Type.String({ maxLength: 255 })),
    nickname: Type.Optional(Type.String({ maxLength: 255 })),
    department: Type.Optional(Type.String({ maxLength: 255 })),
    title: Type.Optional(Type.String()),
    role: Type.Optional(UserCreateRole),
    suspended: Type.Optional(Type.Boolean({ default: false })),
    list_tags: Type.Optional(TagNames),
    chat_ids: Type.Optional(
      Type.Array(Id, { description: 'Chats to join at once; for a guest exactly one active chat.' }),
    ),
    custom_properties: Type.Optional(
      Type.Array(
        Type.Object({
          id: Id,
          value: Type.String({ maxLength: 768, 'x-null-as': '' }),
        }),
      ),
    ),
  }),
  skip_email_notify: Type.Optional(
    Type.Boolean({ default: false, description: 'No invitation letter. Sits beside `user`.' }),
  ),
})
export type UserCreateRequest = Static<typeof UserCreateRequest>

/** Role that an edit may set; an unknown value is skipped, guest gives 403. */
export const UserRoleInput = Type.String({ 'x-when-invalid': 'ignore' })
export type UserRoleInput = Static<typeof UserRoleInput>

/** Only passed fields change. */
export const UserUpdateRequest = Type.Object({
  user: Type.Object({
    first_name: Type.Optional(Type.String({ maxLength: 255 })),
    last_name: Type.Optional(Type.String({ maxLength: 255 })),
    email: Type.Optional(Type.String({ maxLength: 255 })),
    phone_number: Type.Optional(Type.String({ maxLength: 255 })),
    nickname: Type.Optional(Type.String({ maxLength: 255 })),
    department: Type.Optional(Type.String({ maxLength: 255 })),
    title: Type.Optional(Type.String()),
    time_zone: Type.Optional(
      Type.String({ maxLength: 64, description: 'IANA name; empty for the zone of the workspace.' }),
    ),
    role: Type.Optional(UserRoleInput),
    suspended: Type.Optional(Type.Boolean()),
    list_tags: Type.Optional(TagNames),
    custom_properties: Type.Optional(
      Type.Array(
        Type.Object({
          id: Id,
          value: Type.String({ maxLength: 768, 'x-null-as': '' }),
        }),
      ),
    ),
  }),
})
export type UserUpdateRequest = Static<typeof UserUpdateRequest>

export const listUsers = operation({
  id: 'listUsers',
  area: 'Users',
  summary: 'Employees',
  mayLag: true,
  method: 'GET',
  path: '/users',
  scope: 'users:read',
  plan: null,
  roles: EVERYONE,
  rate: 'other',
  query: Type.Object({
    query: Type.Optional(
      Type.String({ description: 'Part of first name, last name, e-mail, phone or nickname.' }),
    ),
    limit: Type.Optional(Limit(50)),
    cursor: Type.Optional(Cursor),
    per: Type.Optional(PerPage(50, 50)),
    page: Type.Optional(PageNumber),
  }),
  returns: {
    status: 200,
    body: Type.Object({
      data: Type.Array(User),
      meta: Type.Union([PaginationMeta, SearchPaginationMeta], {
        description: 'SearchPaginationMeta when `query` is given, otherwise PaginationMeta.',
      }),
    }),
  },
  problems: { 504: ['timeout'] },
  neverAnswered: [422],
})

export const createUser = operation({
  id: 'createUser',
  area: 'Users',
  summary: 'New employee',
  method: 'POST',
  path: '/users',
  scope: 'users:create',
  plan: null,
  roles: ADMINS,
  rate: 'other',
  body: UserCreateRequest,
  returns: { status: 201, body: Data(User) },
  problems: {
    400: ['required', 'invalid', 'in'],
    409: ['already_exists'],
    422: ['blank', 'too_long', 'licenses_limit', 'use_of_system_words', 'not_found'],
  },
})

export const getUser = operation({
  id: 'getUser',
  area: 'Users',
  summary: 'One employee',
  method: 'GET',
  path: '/users/{id}',
  scope: 'users:read',
  plan: null,
  roles: EVERYONE,
  rate: 'other',
  params: Type.Object({ id: Id }),
  returns: { status: 200, body: Data(User) },
  problems: { 404: ['not_found'] },
})

export const updateUser = operation({
  id: 'updateUser',
  area: 'Users',
  summary: 'Change an employee',
  access: 'The workspace owner is changed only with the token of the owner, and never in role or suspension.',
  method: 'PUT',
  path: '/users/{id}',
  scope: 'users:update',
  plan: null,
  roles: ADMINS,
  rate: 'other',
  params: Type.Object({ id: Id }),
  body: UserUpdateRequest,
  returns: { status: 200, body: Data(User) },
  problems: {
    403: ['owner_protected', 'not_authorized'],
    404: ['not_found'],
    409: ['already_exists'],
    422: [
      'self_update',
      'licenses_limit',
      'invalid',
      'already_exists',
      'single_chat_bot_tag_denied',
      'use_of_system_words',
      'blank',
      'too_long',
      'not_found',
      'taken',
    ],
  },
})

export const deleteUser = operation({
  id: 'deleteUser',
  area: 'Users',
  summary: 'Delete an employee',
  access: 'Never the workspace owner.',
  method: 'DELETE',
  path: '/users/{id}',
  scope: 'users:delete',
  plan: null,
  roles: ADMINS,
  rate: 'other',
  confined: false,
  params: Type.Object({ id: Id }),
  returns: { status: 204 },
  problems: { 403: ['owner_protected', 'self_update', 'not_authorized'], 404: ['not_found'] },
})

export const setUserAvatar = operation({
  id: 'setUserAvatar',
  dryRun: false,
  area: 'Users',
  summary: 'Set an avatar',
  method: 'PUT',
  aliases: ['POST'],
  path: '/users/{user_id}/avatar',
  scope: 'user_avatar:write',
  plan: null,
  roles: ADMINS,
  rate: 'other',
  params: Type.Object({ user_id: Id }),
  body: Type.Object({
    image: Type.String({ format: 'binary' }),
  }),
  media: ['multipart/form-data'],
  returns: { status: 200, body: Data(AvatarData) },
  problems: {
    403: ['owner_protected'],
    404: ['not_found'],
    422: ['blank', 'invalid', 'too_long'],
    503: ['service_unavailable'],
  },
})

export const deleteUserAvatar = operation({
  id: 'deleteUserAvatar',
  area: 'Users',
  summary: 'Delete an avatar',
  method: 'DELETE',
  path: '/users/{user_id}/avatar',
  scope: 'user_avatar:write',
  plan: null,
  roles: ADMINS,
  rate: 'other',
  params: Type.Object({ user_id: Id }),
  returns: { status: 204 },
  problems: { 403: ['owner_protected'], 404: ['not_found'] },
})

export const getUserStatus = operation({
  id: 'getUserStatus',
  area: 'Users',
  summary: 'Status of an employee',
  method: 'GET',
  path: '/users/{user_id}/status',
  scope: 'user_status:read',
  plan: null,
  roles: EVERYONE,
  rate: 'other',
  params: Type.Object({ user_id: Id }),
  returns: {
    status: 200,
    body: Nullable(
      Type.Object({
        data: UserStatus,
      }),
      { description: 'A bare null without an envelope when no status is set.' },
    ),
  },
  problems: { 404: ['not_found'] },
  whileSuspended: true,
})

export const setUserStatus = operation({
  id: 'setUserStatus',
  area: 'Users',
  summary: 'Set a status',
  method: 'PUT',
  path: '/users/{user_id}/status',
  scope: 'user_status:write',
  plan: null,
  roles: ADMINS,
  rate: 'other',
  params: Type.Object({ user_id: Id }),
  body: StatusUpdateRequest,
  returns: { status: 200, body: Data(UserStatus) },
  problems: { 404: ['not_found'], 422: ['wrong_emoji', 'blank', 'too_long'] },
  whileSuspended: true,
})

export const deleteUserStatus = operation({
  id: 'deleteUserStatus',
  area: 'Users',
  summary: 'Delete a status',
  method: 'DELETE',
  path: '/users/{user_id}/status',
  scope: 'user_status:write',
  plan: null,
  roles: ADMINS,
  rate: 'other',
  params: Type.Object({ user_id: Id }),
  returns: { status: 204 },
  problems: { 404: ['not_found'] },
  whileSuspended: true,
})
