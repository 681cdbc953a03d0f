import { type Static, Type } from 'typebox'
import { operation } from './operation.js'
import { EVERYONE, NO_TOKEN, Scope } from './scopes.js'
import { annotated, Data, Enum, Nullable, NullableTimestamp, Timestamp } from './shapes.js'

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
})
export type DeviceAuthorizationRequest = Static<typeof DeviceAuthorizationRequest>

/** Token to revoke. */
export const RevokeRequest = Type.Object({
  token: Type.String({ description: 'The same token as in the Authorization header.' }),
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
  rate: 'other',
  body: DeviceAuthorizationRequest,
  media: ['application/x-www-form-urlencoded'],
  returns: { status: 200, body: DeviceAuthorization },
  problems: { 429: [] },
  optional: true,
})

export const exchangeToken = operation({
  id: 'exchangeToken',
  area: 'OAuth',
  summary: 'Exchange a device code or a refresh token',
  description:
    'Seen in a public client, not in the public document. A refresh token works once; access tokens of this kind live one hour.',
  access: 'Anybody who holds the code; used by the command line client only.',
  method: 'POST',
  path: '/oauth/token',
  scope: null,
  plan: null,
  roles: NO_TOKEN,
  rate: 'other',
  body: TokenRequest,
  media: ['application/x-www-form-urlencoded'],
  returns: { status: 200, body: TokenGrant },
  problems: { 400: [], 429: [] },
  optional: true,
})

export const revokeToken = operation({
  id: 'revokeToken',
  area: 'OAuth',
  summary: 'Revoke the token of the call',
  description: 'Seen in a public client, not in the public document.',
  access: 'Tokens from a device sign-in only; the token in the body must be that of the header.',
  method: 'POST',
  path: '/oauth/revoke',
  scope: null,
  plan: null,
  roles: EVERYONE,
  rate: 'other',
  body: RevokeRequest,
  media: ['application/x-www-form-urlencoded'],
  returns: { status: 200 },
  optional: true,
})
