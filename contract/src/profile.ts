import { Type } from 'typebox'
import { operation } from './operation.js'
import { EVERYONE, NO_TOKEN } from './scopes.js'
import { Data, Nullable } from './shapes.js'
import { AvatarData, StatusUpdateRequest, User, UserStatus } from './users.js'

export const getProfile = operation({
  id: 'getProfile',
  area: 'Profile',
  summary: 'The caller',
  method: 'GET',
  path: '/profile',
  scope: 'profile:read',
  botsWithoutScope: true,
  plan: null,
  roles: EVERYONE,
  rate: 'other',
  returns: { status: 200, body: Data(User) },
  whileSuspended: true,
})

export const setOwnAvatar = operation({
  id: 'setOwnAvatar',
  dryRun: false,
  area: 'Profile',
  summary: 'Set the own avatar',
  method: 'PUT',
  aliases: ['POST'],
  path: '/profile/avatar',
  scope: 'profile_avatar:write',
  plan: null,
  roles: EVERYONE,
  rate: 'other',
  body: Type.Object({
    image: Type.String({ format: 'binary' }),
  }),
  media: ['multipart/form-data'],
  returns: { status: 200, body: Data(AvatarData) },
  problems: { 422: ['blank', 'invalid', 'too_long'], 503: ['service_unavailable'] },
  whileSuspended: true,
})

export const deleteOwnAvatar = operation({
  id: 'deleteOwnAvatar',
  area: 'Profile',
  summary: 'Delete the own avatar',
  method: 'DELETE',
  path: '/profile/avatar',
  scope: 'profile_avatar:write',
  plan: null,
  roles: EVERYONE,
  rate: 'other',
  returns: { status: 204 },
  whileSuspended: true,
})

export const getOwnStatus = operation({
  id: 'getOwnStatus',
  area: 'Profile',
  summary: 'Own status',
  method: 'GET',
  path: '/profile/status',
  scope: 'profile_status:read',
  plan: null,
  roles: EVERYONE,
  rate: 'other',
  returns: {
    status: 200,
    body: Nullable(
      Type.Object({
        data: UserStatus,
      }),
      { description: 'A bare null without an envelope when no status is set.' },
    ),
  },
  whileSuspended: true,
})

export const setOwnStatus = operation({
  id: 'setOwnStatus',
  area: 'Profile',
  summary: 'Set the own status',
  method: 'PUT',
  path: '/profile/status',
  scope: 'profile_status:write',
  plan: null,
  roles: EVERYONE,
  rate: 'other',
  body: StatusUpdateRequest,
  returns: { status: 200, body: Data(UserStatus) },
  problems: { 422: ['wrong_emoji', 'blank', 'too_long'] },
  whileSuspended: true,
})

export const deleteOwnStatus = operation({
  id: 'deleteOwnStatus',
  area: 'Profile',
  summary: 'Delete the own status',
  method: 'DELETE',
  path: '/profile/status',
  scope: 'profile_status:write',
  plan: null,
  roles: EVERYONE,
  rate: 'other',
  returns: { status: 204 },
  whileSuspended: true,
})

export const getAvatar = operation({
  id: 'getAvatar',
  area: 'Profile',
  summary: 'The picture behind `image_url`',
  description: 'The name cannot be guessed and changes with every new picture.',
  method: 'GET',
  path: '/avatars/{name}',
  scope: null,
  plan: null,
  roles: NO_TOKEN,
  rate: null,
  params: Type.Object({ name: Type.String() }),
  returns: { status: 200, media: 'image/*' },
  problems: { 404: ['not_found'] },
  root: true,
  addition: true,
})
