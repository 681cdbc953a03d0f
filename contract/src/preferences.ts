import { type Static, Type } from 'typebox'
import { operation } from './operation.js'
import { PEOPLE } from './scopes.js'
import { Data } from './shapes.js'
import { User } from './users.js'

/**
 * Settings of a client that follow the person from device to device. The server reads `locale` for mails, and for the first
 * screen which chats `favourite_chat_ids` and `sections` put at the top of the list.
 */
export const Preferences = Type.Object(
  {},
  { additionalProperties: true, description: 'At most 64 kB as JSON.' },
)
export type Preferences = Static<typeof Preferences>

/** Only passed fields change; an empty string clears a field that may be empty. */
export const OwnProfileUpdate = Type.Object({
  first_name: Type.Optional(Type.String({ maxLength: 255 })),
  last_name: Type.Optional(Type.String({ maxLength: 255 })),
  nickname: Type.Optional(Type.String({ maxLength: 255 })),
  phone_number: Type.Optional(Type.String({ maxLength: 255 })),
  title: Type.Optional(Type.String({ maxLength: 255 })),
  time_zone: Type.Optional(
    Type.String({ maxLength: 32, description: 'IANA name; empty means the zone of the workspace.' }),
  ),
})
export type OwnProfileUpdate = Static<typeof OwnProfileUpdate>

const mine = {
  area: 'Profile',
  plan: null,
  roles: PEOPLE,
  rate: 'other',
  addition: true,
} as const

export const updateOwnProfile = operation({
  ...mine,
  id: 'updateOwnProfile',
  scope: 'profile_status:write',
  summary: 'Change the own card',
  description: 'Only passed fields change. Others hear of it like of any changed card.',
  access:
    'Where the workspace leaves names to admins (`own_names`), others change phone number and time zone alone.',
  method: 'PUT',
  path: '/profile',
  body: Type.Object({ user: OwnProfileUpdate }),
  returns: { status: 200, body: Data(User) },
  problems: {
    403: ['not_authorized'],
    409: ['already_exists'],
    422: ['blank', 'too_long', 'invalid', 'use_of_system_words'],
  },
})

export const getPreferences = operation({
  ...mine,
  id: 'getPreferences',
  scope: 'profile:read',
  summary: 'Own preferences',
  description: 'An empty object before the first time they are set.',
  method: 'GET',
  path: '/profile/preferences',
  returns: { status: 200, body: Data(Preferences) },
})

export const setPreferences = operation({
  ...mine,
  id: 'setPreferences',
  scope: 'profile_status:write',
  summary: 'Replace the own preferences',
  description: 'The other devices of the caller hear `preferences.changed`, which carries them.',
  method: 'PUT',
  path: '/profile/preferences',
  body: Type.Object({ preferences: Preferences }),
  returns: { status: 200, body: Data(Preferences) },
  problems: { 422: ['blank', 'too_long'] },
})
