import { type Static, Type } from 'typebox'
import { CookieWanted, Password } from './credentials.js'
import { TokenLimits } from './limits.js'
import { AccessTokenInfo } from './oauth.js'
import { operation } from './operation.js'
import { ADMINS, NO_TOKEN, PEOPLE, Scope } from './scopes.js'
import { PasskeyAnswer } from './second-factor.js'
import { Cursor, Data, Enum, Id, Limit, Nullable, NullableTimestamp, Page, Timestamp } from './shapes.js'
import { User } from './users.js'

/** Role as the workspace knows it; only here the owner is distinct from an admin. */
export const WorkspaceRole = Enum(['owner', 'admin', 'user', 'multi_guest', 'guest'])
export type WorkspaceRole = Static<typeof WorkspaceRole>

const TokenName = Type.String({ minLength: 1, maxLength: 255 })

/** A sign-in that has just succeeded. */
export const NewSession = Type.Object({
  token: Type.Optional(
    Type.String({
      description: 'Shown once; send it as the bearer token. Absent where a cookie was asked for.',
    }),
  ),
  expires_at: Timestamp,
  user: User,
})
export type NewSession = Static<typeof NewSession>

/** Who is signed in, what they may do, and where. */
export const CurrentSession = Type.Object({
  user: User,
  role: WorkspaceRole,
  scopes: Type.Array(Scope),
  expires_at: NullableTimestamp,
  second_factor_missing: Type.Boolean({
    description: 'The workspace asks for a second factor, and nothing else works until there is one.',
  }),
  workspace: Type.Object({
    name: Type.String(),
    time_zone: Type.String(),
    plan: Enum(['corporation', 'standard']),
    may_create_integrations: Type.Boolean(),
    may_create_personal_tokens: Type.Boolean(),
  }),
})
export type CurrentSession = Static<typeof CurrentSession>

/** An invitation as its link shows it. */
export const Invite = Type.Object({
  email: Type.String(),
  first_name: Nullable(Type.String()),
  last_name: Nullable(Type.String()),
  workspace_name: Type.String(),
  expires_at: Timestamp,
})
export type Invite = Static<typeof Invite>

/** An invitation as those who invite see it. */
export const InviteLink = Type.Object({
  url: Nullable(Type.String(), { description: 'Null where letters are sent by mail.' }),
  expires_at: Timestamp,
  expired: Type.Boolean(),
})
export type InviteLink = Static<typeof InviteLink>

/** A token with its full value, which is shown this once. */
export const IssuedToken = Type.Object({
  ...AccessTokenInfo.properties,
  access_token: Type.String(),
})
export type IssuedToken = Static<typeof IssuedToken>

/** A token as the list of the whole workspace shows it. */
export const WorkspaceToken = Type.Object({
  ...AccessTokenInfo.properties,
  kind: Enum(['personal', 'bot', 'session', 'cli', 'granted']),
})
export type WorkspaceToken = Static<typeof WorkspaceToken>

const ours = { area: 'Sessions', scope: null, plan: null, addition: true } as const
const signedIn = { ...ours, rate: 'other', sessionOnly: true } as const
const anybody = { ...ours, rate: 'sign-in', roles: NO_TOKEN } as const

export const signIn = operation({
  ...anybody,
  id: 'signIn',
  summary: 'Sign in with mail and password',
  description:
    'Where the account has a second factor, 401 `second_factor_required` asks for `code` or `passkey` beside them (`beginSecondFactor`); 401 `invalid_second_factor` says that it does not fit.',
  method: 'POST',
  path: '/sessions',
  body: Type.Object({
    email: Type.String({ maxLength: 255 }),
    password: Type.String({ maxLength: 200 }),
    code: Type.Optional(
      Type.String({ maxLength: 40, description: 'A code of the authenticator app, or a recovery code.' }),
    ),
    passkey: Type.Optional(PasskeyAnswer),
    cookie: CookieWanted,
  }),
  returns: { status: 201, body: Data(NewSession) },
  problems: { 401: [], 403: ['access_denied', 'not_authorized'], 422: ['blank'] },
})

export const getSession = operation({
  ...signedIn,
  id: 'getSession',
  summary: 'Who is signed in',
  method: 'GET',
  path: '/sessions/current',
  roles: PEOPLE,
  returns: { status: 200, body: Data(CurrentSession) },
  whileSuspended: true,
  whileUnprotected: true,
})

export const signOut = operation({
  ...signedIn,
  id: 'signOut',
  dryRun: false,
  summary: 'Sign out',
  description: 'Ends the session and clears its cookie.',
  method: 'DELETE',
  path: '/sessions/current',
  roles: PEOPLE,
  returns: { status: 204 },
  whileSuspended: true,
  whileUnprotected: true,
})

export const changeOwnPassword = operation({
  ...signedIn,
  id: 'changeOwnPassword',
  summary: 'Change the own password',
  description: 'Other sessions of the caller end; personal tokens stay.',
  method: 'PUT',
  path: '/profile/password',
  roles: PEOPLE,
  rate: 'sign-in',
  body: Type.Object({ current_password: Type.String({ maxLength: 200 }), password: Password }),
  returns: { status: 204 },
  problems: { 422: ['invalid', 'blank', 'min_length', 'too_long'] },
})

export const getInvite = operation({
  ...anybody,
  id: 'getInvite',
  summary: 'An invitation by its link',
  method: 'GET',
  path: '/invites/{token}',
  params: Type.Object({ token: Type.String() }),
  returns: { status: 200, body: Data(Invite) },
  problems: { 404: ['not_found'] },
})

export const acceptInvite = operation({
  ...anybody,
  id: 'acceptInvite',
  summary: 'Accept an invitation',
  description: 'Sets name and password and signs in.',
  method: 'POST',
  path: '/invites/{token}/accept',
  params: Type.Object({ token: Type.String() }),
  body: Type.Object({
    first_name: Type.String({ minLength: 1, maxLength: 255 }),
    last_name: Type.Optional(Type.String({ maxLength: 255 })),
    password: Password,
    cookie: CookieWanted,
  }),
  returns: { status: 201, body: Data(NewSession) },
  problems: {
    403: ['access_denied', 'not_authorized'],
    404: ['not_found'],
    422: ['blank', 'min_length', 'too_long'],
  },
})

export const getInviteLink = operation({
  ...signedIn,
  id: 'getInviteLink',
  summary: 'The link of an invitation',
  description: 'The address is shown where no mail server is set up; otherwise only the letter has it.',
  method: 'GET',
  path: '/users/{id}/invite',
  roles: ADMINS,
  params: Type.Object({ id: Id }),
  returns: { status: 200, body: Data(InviteLink) },
  problems: { 404: ['not_found'] },
})

export const resendInvite = operation({
  ...signedIn,
  id: 'resendInvite',
  summary: 'Invite again',
  description: 'Makes a new link, ends the old one and sends the letter.',
  method: 'POST',
  path: '/users/{id}/invite',
  roles: ADMINS,
  params: Type.Object({ id: Id }),
  returns: { status: 200, body: Data(InviteLink) },
  problems: { 404: ['not_found'] },
})

export const listPersonalTokens = operation({
  ...signedIn,
  id: 'listPersonalTokens',
  summary: 'Own personal tokens',
  method: 'GET',
  path: '/personal_tokens',
  roles: PEOPLE,
  query: Type.Object({ limit: Type.Optional(Limit(50)), cursor: Type.Optional(Cursor) }),
  returns: { status: 200, body: Page(AccessTokenInfo) },
})

export const createPersonalToken = operation({
  ...signedIn,
  id: 'createPersonalToken',
  dryRun: false,
  summary: 'New personal token',
  access: 'Where the workspace leaves personal tokens to admins, owner and admins alone.',
  method: 'POST',
  path: '/personal_tokens',
  roles: PEOPLE,
  body: Type.Object({
    name: TokenName,
    scopes: Type.Array(Scope, { minItems: 1 }),
    limits: Type.Optional(TokenLimits),
  }),
  returns: { status: 201, body: Data(IssuedToken) },
  problems: {
    400: ['inclusion'],
    403: ['not_authorized'],
    422: ['blank', 'too_long', 'inclusion', 'invalid'],
  },
})

export const updatePersonalToken = operation({
  ...signedIn,
  id: 'updatePersonalToken',
  summary: 'Change a personal token',
  method: 'PUT',
  path: '/personal_tokens/{id}',
  roles: PEOPLE,
  params: Type.Object({ id: Id }),
  body: Type.Object({
    name: Type.Optional(TokenName),
    scopes: Type.Optional(Type.Array(Scope, { minItems: 1 })),
    limits: Type.Optional(TokenLimits),
  }),
  returns: { status: 200, body: Data(AccessTokenInfo) },
  problems: {
    400: ['inclusion'],
    403: ['not_authorized'],
    404: ['not_found'],
    422: ['blank', 'too_long', 'inclusion', 'invalid'],
  },
})

export const deletePersonalToken = operation({
  ...signedIn,
  id: 'deletePersonalToken',
  summary: 'Revoke a personal token',
  method: 'DELETE',
  path: '/personal_tokens/{id}',
  roles: PEOPLE,
  params: Type.Object({ id: Id }),
  returns: { status: 204 },
  problems: { 404: ['not_found'] },
})

export const listWorkspaceTokens = operation({
  ...signedIn,
  id: 'listWorkspaceTokens',
  summary: 'Every token of the workspace',
  method: 'GET',
  path: '/tokens',
  roles: ADMINS,
  query: Type.Object({
    user_id: Type.Optional(Type.Integer({ format: 'int32', description: 'Whose tokens.' })),
    limit: Type.Optional(Limit(50)),
    cursor: Type.Optional(Cursor),
  }),
  returns: { status: 200, body: Page(WorkspaceToken) },
})

export const revokeWorkspaceToken = operation({
  ...signedIn,
  id: 'revokeWorkspaceToken',
  summary: 'Revoke a token of the workspace',
  method: 'DELETE',
  path: '/tokens/{id}',
  roles: ADMINS,
  params: Type.Object({ id: Id }),
  returns: { status: 204 },
  problems: { 404: ['not_found'] },
})
