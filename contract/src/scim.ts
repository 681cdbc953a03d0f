import { type Static, Type } from 'typebox'
import { operation } from './operation.js'
import { OWNER } from './scopes.js'
import { annotated, Data, Id, Nullable, NullableTimestamp, Timestamp } from './shapes.js'

/** A token by which an identity provider manages people and groups (SCIM 2.0, `/scim/v2`). */
export const ScimToken = Type.Object({
  id: Id,
  name: Type.String(),
  mask: Type.String({ description: 'Its first and last characters.' }),
  created_at: Timestamp,
  last_used_at: annotated(NullableTimestamp, {
    description: 'Noted once a minute; null before the first use.',
  }),
})
export type ScimToken = Static<typeof ScimToken>

/** A request that an identity provider made. */
export const ScimRequest = Type.Object({
  id: Id,
  at: Timestamp,
  token_name: Type.String({ description: 'Name of the token.' }),
  method: Type.String({ description: 'Method of the request.' }),
  path: Type.String({ description: 'Below `/scim/v2`, with its query.' }),
  status: Type.Integer({ format: 'int32', description: 'Status of the answer.' }),
  detail: Nullable(Type.String(), { description: 'Why it was refused; null where it was not.' }),
})
export type ScimRequest = Static<typeof ScimRequest>

const owners = {
  area: 'Sign-in',
  scope: null,
  plan: null,
  addition: true,
  roles: OWNER,
  rate: 'other',
  sessionOnly: true,
} as const

export const listScimTokens = operation({
  ...owners,
  id: 'listScimTokens',
  summary: 'SCIM tokens',
  method: 'GET',
  path: '/company/scim_tokens',
  returns: { status: 200, body: Data(Type.Array(ScimToken)) },
})

export const createScimToken = operation({
  ...owners,
  id: 'createScimToken',
  dryRun: false,
  summary: 'New SCIM token',
  method: 'POST',
  path: '/company/scim_tokens',
  body: Type.Object({ name: Type.String({ minLength: 1, maxLength: 100 }) }),
  returns: {
    status: 201,
    body: Data(
      Type.Object({
        ...ScimToken.properties,
        token: Type.String({ description: 'Shown once.' }),
        base_url: Type.String({ description: 'Where the identity provider sends its requests.' }),
      }),
    ),
  },
  problems: { 422: ['blank', 'too_long'] },
})

export const deleteScimToken = operation({
  ...owners,
  id: 'deleteScimToken',
  summary: 'Revoke a SCIM token',
  description: 'The provider is refused from the next request on. People and groups stay as they are.',
  method: 'DELETE',
  path: '/company/scim_tokens/{id}',
  params: Type.Object({ id: Id }),
  returns: { status: 204 },
  problems: { 404: ['not_found'] },
})

export const listScimRequests = operation({
  ...owners,
  id: 'listScimRequests',
  summary: 'The last SCIM requests, newest first',
  description: 'The last 100 are kept.',
  method: 'GET',
  path: '/company/scim_requests',
  returns: { status: 200, body: Data(Type.Array(ScimRequest)) },
})
