import { type Static, Type } from 'typebox'
import { CookieWanted, Password } from './credentials.js'
import { operation } from './operation.js'
import { NO_TOKEN, PEOPLE } from './scopes.js'
import { NewSession } from './sessions.js'
import { Cursor, Data, Id, Limit, Nullable, NullableTimestamp, Page, Timestamp } from './shapes.js'

/** A login session of the caller. */
export const OwnSession = Type.Object({
  id: Id,
  device: Nullable(Type.String(), {
    description: 'Browser and system, as far as the sign-in told them, such as `Firefox on Linux`.',
  }),
  address: Nullable(Type.String(), { description: 'From where it was used last.' }),
  created_at: Timestamp,
  last_used_at: NullableTimestamp,
  expires_at: NullableTimestamp,
  current: Type.Boolean({ description: 'The session that asks.' }),
})
export type OwnSession = Static<typeof OwnSession>

/** A password reset as its link shows it. */
export const PasswordReset = Type.Object({ email: Type.String(), expires_at: Timestamp })
export type PasswordReset = Static<typeof PasswordReset>

const mine = {
  area: 'Sessions',
  scope: null,
  plan: null,
  roles: PEOPLE,
  rate: 'other',
  sessionOnly: true,
  addition: true,
} as const

const anybody = {
  area: 'Sessions',
  scope: null,
  plan: null,
  roles: NO_TOKEN,
  rate: 'sign-in',
  addition: true,
} as const

export const listOwnSessions = operation({
  ...mine,
  id: 'listOwnSessions',
  summary: 'Own sessions, newest first',
  description: 'A session lasts for 30 days after its last use.',
  method: 'GET',
  path: '/profile/sessions',
  query: Type.Object({ limit: Type.Optional(Limit(50)), cursor: Type.Optional(Cursor) }),
  returns: { status: 200, body: Page(OwnSession) },
})

export const endOwnSession = operation({
  ...mine,
  id: 'endOwnSession',
  summary: 'End one of the own sessions',
  method: 'DELETE',
  path: '/profile/sessions/{id}',
  params: Type.Object({ id: Id }),
  returns: { status: 204 },
  problems: { 404: ['not_found'] },
})

export const endOtherSessions = operation({
  ...mine,
  id: 'endOtherSessions',
  summary: 'End all own sessions but the one that asks',
  method: 'DELETE',
  path: '/profile/sessions',
  returns: { status: 204 },
})

export const requestPasswordReset = operation({
  ...anybody,
  id: 'requestPasswordReset',
  summary: 'Ask for a link that sets a new password',
  description:
    'The letter goes to the address of the account. The answer is the same where there is no such account. The link works once and for one hour; a newer one ends it.',
  method: 'POST',
  path: '/password_resets',
  body: Type.Object({ email: Type.String({ maxLength: 255 }) }),
  returns: { status: 204 },
  problems: { 403: ['not_authorized'], 422: ['blank', 'too_long'] },
})

export const getPasswordReset = operation({
  ...anybody,
  id: 'getPasswordReset',
  summary: 'A password reset by its link',
  method: 'GET',
  path: '/password_resets/{token}',
  params: Type.Object({ token: Type.String() }),
  returns: { status: 200, body: Data(PasswordReset) },
  problems: { 404: ['not_found'] },
})

export const resetPassword = operation({
  ...anybody,
  id: 'resetPassword',
  summary: 'Set a new password by the link, and sign in',
  description:
    'All other sessions of the account end; personal tokens stay. Where the account has a second factor, the password is set and the answer is 401 `second_factor_required`: sign in with it.',
  method: 'POST',
  path: '/password_resets/{token}',
  params: Type.Object({ token: Type.String() }),
  body: Type.Object({ password: Password, cookie: CookieWanted }),
  returns: { status: 201, body: Data(NewSession) },
  problems: {
    401: [],
    403: ['access_denied', 'not_authorized'],
    404: ['not_found'],
    422: ['blank', 'min_length', 'too_long'],
  },
})
