import { type Static, Type } from 'typebox'
import { TokenLimits } from './limits.js'
import { operation } from './operation.js'
import { EVERYONE, NO_TOKEN, PEOPLE, Scope } from './scopes.js'
import {
  annotated,
  Cursor,
  Data,
  Enum,
  Id,
  Limit,
  Nullable,
  NullableTimestamp,
  Page,
  Timestamp,
} from './shapes.js'

/** The token used for the call. */
export const AccessTokenInfo = Type.Object({
  id: Type.Integer({ format: 'int64', description: 'Token id.' }),
  token: Type.String({ description: 'Masked value: first 8 characters, `...`, last 4.' }),
  name: Nullable(Type.String(), { description: 'Name given at issue; null when none was given.' }),
  user_id: Type.Integer({ format: 'int64', description: 'Owner of the token (a user or a bot).' }),
  scopes: Type.Array(Scope),
  created_at: Timestamp,
  revoked_at: annotated(NullableTimestamp, { description: 'Always null: revoked tokens are not shown.' }),
  expires_in: Nullable(Type.Integer({ format: 'int32' }), {
    description: 'Lifetime in seconds; null for a token without expiry.',
  }),
  last_used_at: annotated(NullableTimestamp, {
    description: 'Null before first use; refreshed at most once an hour.',
  }),
  authorized_at: annotated(NullableTimestamp, {
    description: 'When a person approved the token; null for bot tokens.',
  }),
  limits: Type.Optional(TokenLimits),
})
export type AccessTokenInfo = Static<typeof AccessTokenInfo>

/** Start of a device sign-in (RFC 8628). */
export const DeviceAuthorization = Type.Object({
  device_code: Type.String(),
  user_code: Type.String(),
  verification_uri: Type.String({ format: 'uri' }),
  expires_in: Type.Integer({ format: 'int32', description: 'Seconds.' }),
  interval: Type.Integer({ format: 'int32', description: 'Seconds between polls, at least 5.' }),
})
export type DeviceAuthorization = Static<typeof DeviceAuthorization>

/** Who asks. */
export const DeviceAuthorizationRequest = Type.Object({
  client_id: Type.String(),
  device_name: Type.Optional(
    Type.String({ description: 'Name of the machine, as it stands in the list of logins.' }),
  ),
})
export type DeviceAuthorizationRequest = Static<typeof DeviceAuthorizationRequest>

/** Token to revoke. */
export const RevokeRequest = Type.Object({
  token: Type.String({
    description: 'An access or refresh token; without `client_id` that of the Authorization header.',
  }),
  client_id: Type.Optional(Type.String({ description: 'In place of the header.' })),
  client_secret: Type.Optional(Type.String({ description: 'Of a client that has one.' })),
})
export type RevokeRequest = Static<typeof RevokeRequest>

/** Issued token. */
export const TokenGrant = Type.Object({
  access_token: Type.String(),
  token_type: Type.Optional(Type.Literal('Bearer')),
  refresh_token: Type.Optional(Type.String()),
  expires_in: Type.Optional(Type.Integer({ format: 'int32', description: 'Seconds.' })),
  scope: Type.Optional(Type.String({ description: 'Scopes with spaces between.' })),
  created_at: Type.Optional(Type.Integer({ format: 'int32', description: 'UNIX seconds.' })),
})
export type TokenGrant = Static<typeof TokenGrant>

/** Exchange of a device code, of a refresh token, or of an authorization code. */
export const TokenRequest = Type.Object({
  grant_type: Enum(['urn:ietf:params:oauth:grant-type:device_code', 'refresh_token', 'authorization_code']),
  client_id: Type.Optional(Type.String()),
  device_code: Type.Optional(Type.String()),
  refresh_token: Type.Optional(Type.String()),
  code: Type.Optional(Type.String()),
  redirect_uri: Type.Optional(Type.String()),
  code_verifier: Type.Optional(Type.String()),
  client_secret: Type.Optional(Type.String()),
  resource: Type.Optional(
    Type.String({
      description:
        'What the token is for (RFC 8707): the address of the API or of `/mcp`. It counts nowhere else then; without it the token counts at both.',
    }),
  ),
})
export type TokenRequest = Static<typeof TokenRequest>

export const getTokenInfo = operation({
  id: 'getTokenInfo',
  area: 'OAuth',
  summary: 'The token of the call',
  access: 'Any valid token; no scope is needed.',
  method: 'GET',
  path: '/oauth/token/info',
  scope: null,
  plan: null,
  roles: EVERYONE,
  rate: 'other',
  returns: { status: 200, body: Data(AccessTokenInfo) },
})

export const startDeviceSignIn = operation({
  id: 'startDeviceSignIn',
  area: 'OAuth',
  summary: 'Start a device sign-in',
  description: 'Seen in a public client, not in the public document.',
  access: 'Anybody; used by the command line client only.',
  method: 'POST',
  path: '/oauth/device_authorization',
  scope: null,
  plan: null,
  roles: NO_TOKEN,
  rate: 'anonymous',
  body: DeviceAuthorizationRequest,
  media: ['application/x-www-form-urlencoded'],
  returns: { status: 200, body: DeviceAuthorization },
  problems: { 400: [], 401: [] },
  oauthErrors: true,
  optional: true,
})

export const exchangeToken = operation({
  id: 'exchangeToken',
  area: 'OAuth',
  summary: 'Exchange a code, a device code or a refresh token',
  description:
    'Seen in a public client, not in the public document. A refresh token works once; access tokens of this kind live one hour.',
  access: 'Anybody who holds the code; a client with a secret must prove it.',
  method: 'POST',
  path: '/oauth/token',
  scope: null,
  plan: null,
  roles: NO_TOKEN,
  rate: 'anonymous',
  body: TokenRequest,
  media: ['application/x-www-form-urlencoded'],
  returns: { status: 200, body: TokenGrant },
  problems: { 400: [], 401: [] },
  oauthErrors: true,
  optional: true,
})

export const revokeToken = operation({
  id: 'revokeToken',
  area: 'OAuth',
  summary: 'Revoke the token of the call',
  description:
    'Seen in a public client, not in the public document. A client may send its `client_id`, and its secret if it has one, in place of the header.',
  access:
    'Tokens from a device sign-in and grants; the token in the body must be that of the header, or of the client.',
  method: 'POST',
  path: '/oauth/revoke',
  scope: null,
  plan: null,
  roles: NO_TOKEN,
  rate: 'anonymous',
  body: RevokeRequest,
  media: ['application/x-www-form-urlencoded'],
  returns: { status: 200 },
  problems: { 400: [], 401: [], 403: ['not_authorized', 'access_denied'] },
  oauthErrors: true,
  optional: true,
})

/** Where and how a client signs people in (RFC 8414). */
export const ServerMetadata = Type.Object({
  issuer: Type.String(),
  authorization_endpoint: Type.String(),
  token_endpoint: Type.String(),
  revocation_endpoint: Type.String(),
  device_authorization_endpoint: Type.String(),
  response_types_supported: Type.Array(Type.String()),
  grant_types_supported: Type.Array(Type.String()),
  code_challenge_methods_supported: Type.Array(Type.String()),
  token_endpoint_auth_methods_supported: Type.Array(Type.String()),
  revocation_endpoint_auth_methods_supported: Type.Array(Type.String()),
  authorization_response_iss_parameter_supported: Type.Boolean(),
  client_id_metadata_document_supported: Type.Boolean(),
  scopes_supported: Type.Array(Scope),
})
export type ServerMetadata = Static<typeof ServerMetadata>

/** What an employee lets a bot do. */
export const Grant = Type.Object({
  bot_id: Id,
  bot_name: Type.String(),
  client_id: Type.String(),
  scopes: Type.Array(Type.String()),
  created_at: Timestamp,
  last_used_at: NullableTimestamp,
})
export type Grant = Static<typeof Grant>

export const getServerMetadata = operation({
  id: 'getServerMetadata',
  area: 'OAuth',
  summary: 'Where and how clients sign people in',
  access: 'Anybody.',
  method: 'GET',
  path: '/.well-known/oauth-authorization-server',
  scope: null,
  plan: null,
  roles: NO_TOKEN,
  rate: 'anonymous',
  returns: { status: 200, body: ServerMetadata },
  root: true,
  addition: true,
})

const page = {
  area: 'OAuth',
  path: '/apps/authorize',
  scope: null,
  plan: null,
  roles: NO_TOKEN,
  returns: { status: 200, media: 'text/html' },
  root: true,
  addition: true,
} as const

export const showAuthorizePage = operation({
  ...page,
  id: 'showAuthorizePage',
  summary: 'The page on which people let a bot or a device act for them',
  description:
    'With `client_id`, `redirect_uri`, `response_type=code`, `state`, `code_challenge` and `code_challenge_method=S256` it asks for consent; without, for the code of a device. People who are not signed in sign in here.',
  access:
    'People in a browser; guests are refused, and all but admins where personal tokens are theirs alone.',
  method: 'GET',
  rate: 'anonymous',
  problems: { 302: [], 400: [], 403: [] },
})

export const answerAuthorizePage = operation({
  ...page,
  id: 'answerAuthorizePage',
  summary: 'A form of that page',
  description: 'Posted by the page itself; the token in it shows that this browser was given the form.',
  access: 'People in a browser.',
  method: 'POST',
  rate: 'sign-in',
  problems: { 303: [], 400: [], 401: [], 403: [], 413: ['too_long'] },
})

export const listGrants = operation({
  id: 'listGrants',
  area: 'OAuth',
  summary: 'Bots that the caller lets act for him',
  method: 'GET',
  path: '/oauth/grants',
  scope: null,
  plan: null,
  roles: PEOPLE,
  rate: 'other',
  sessionOnly: true,
  returns: { status: 200, body: Data(Type.Array(Grant)) },
  addition: true,
})

export const revokeGrant = operation({
  id: 'revokeGrant',
  area: 'OAuth',
  summary: 'Let a bot act no longer',
  description: 'Every token that the caller granted it stops at once.',
  method: 'DELETE',
  path: '/oauth/grants/{bot_id}',
  scope: null,
  plan: null,
  roles: PEOPLE,
  rate: 'other',
  sessionOnly: true,
  params: Type.Object({ bot_id: Id }),
  returns: { status: 204 },
  problems: { 404: ['not_found'] },
  addition: true,
})

/** A device that acts for its owner. */
export const DeviceLogin = Type.Object({
  id: Type.Integer({ format: 'int64', description: 'Token id.' }),
  device_name: Nullable(Type.String()),
  created_at: Timestamp,
  last_used_at: NullableTimestamp,
})
export type DeviceLogin = Static<typeof DeviceLogin>

export const listDeviceLogins = operation({
  id: 'listDeviceLogins',
  area: 'OAuth',
  summary: 'Devices that the caller signed in by code',
  method: 'GET',
  path: '/oauth/devices',
  scope: null,
  plan: null,
  roles: PEOPLE,
  rate: 'other',
  sessionOnly: true,
  query: Type.Object({ limit: Type.Optional(Limit(50)), cursor: Type.Optional(Cursor) }),
  returns: { status: 200, body: Page(DeviceLogin) },
  problems: { 400: ['invalid'] },
  addition: true,
})

export const endDeviceLogin = operation({
  id: 'endDeviceLogin',
  area: 'OAuth',
  summary: 'Sign a device out',
  method: 'DELETE',
  path: '/oauth/devices/{id}',
  scope: null,
  plan: null,
  roles: PEOPLE,
  rate: 'other',
  sessionOnly: true,
  params: Type.Object({ id: Id }),
  returns: { status: 204 },
  problems: { 404: ['not_found'] },
  addition: true,
})
