import { type Static, Type } from 'typebox'
import { operation } from './operation.js'
import { EMPLOYEES } from './scopes.js'
import { Data, Id, Nullable, Timestamp } from './shapes.js'

const Facts = Type.Object({}, { additionalProperties: true })

/** A refused request of a token. */
export const Refusal = Type.Object({
  request_id: Type.String({ description: '`X-Request-Id` of the answer.' }),
  operation: Type.String({ description: 'Id of the operation.' }),
  status: Type.Integer(),
  code: Type.String(),
  rule: Type.String({ description: 'As `explanation.rule` of the answer.' }),
  needs: Type.Object(Facts.properties, {
    additionalProperties: true,
    description: 'What the rule asks for.',
  }),
  has: Type.Object(Facts.properties, { additionalProperties: true, description: 'What it found.' }),
  user_id: Type.Integer({ format: 'int32', description: 'Holder of the token: a person or a bot.' }),
  token_id: Type.Integer({ format: 'int64', description: 'The token of the request.' }),
  object: Nullable(Type.Object({ type: Type.String(), id: Id }), {
    description:
      'The record that the rule is about; null where there is none, or where you may not see it either.',
  }),
  created_at: Timestamp,
})
export type Refusal = Static<typeof Refusal>

export const getRefusal = operation({
  id: 'getRefusal',
  area: 'Bots',
  summary: 'Why a request of a token was refused',
  description:
    'Kept for seven days, for answers 403, 404, 409 and 422 to tokens. Of a rule that refuses more than 100 requests in a minute, the rest is not kept.',
  access: 'Owner and admins for every token; those who may edit a bot for its tokens.',
  method: 'GET',
  path: '/refusals/{request_id}',
  scope: 'bots:read',
  plan: null,
  roles: EMPLOYEES,
  rate: 'other',
  params: Type.Object({ request_id: Type.String({ maxLength: 128 }) }),
  returns: { status: 200, body: Data(Refusal) },
  problems: { 404: ['not_found'] },
  addition: true,
})
