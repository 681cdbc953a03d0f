import { type Static, Type } from 'typebox'
import { operation } from './operation.js'
import { PEOPLE } from './scopes.js'
import {
  Cursor,
  Data,
  Enum,
  Id,
  Limit,
  Nullable,
  NullableTimestamp,
  Page,
  TimeInput,
  Timestamp,
} from './shapes.js'

/** What a token may be used for, on top of its scopes. */
export const TokenLimits = Type.Object(
  {
    chat_ids: Type.Optional(
      Type.Array(Id, {
        maxItems: 1000,
        description: 'Other chats are as if they did not exist. Threads follow the chat they hang in.',
      }),
    ),
    chat_kinds: Type.Optional(
      Type.Array(Enum(['conversation', 'channel', 'personal']), {
        minItems: 1,
        description: 'Chats of other kinds are as if they did not exist.',
      }),
    ),
    operations: Type.Optional(
      Type.Array(Type.String({ maxLength: 64 }), {
        maxItems: 300,
        description: 'Ids of the operations that the token may call.',
      }),
    ),
    read_only: Type.Optional(Type.Boolean({ description: 'Only operations by GET.' })),
    writes_per_day: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: 1_000_000,
        description: 'Writes that succeed in a day of UTC; `Parley-Writes-Left` tells how many are left.',
      }),
    ),
    dry_run_only: Type.Optional(Type.Boolean({ description: 'Writes only with `Parley-Dry-Run: true`.' })),
    approval: Type.Optional(
      Enum(['none', 'writes', 'outside'], {
        description:
          'Which writes wait for a person: all of them, or those that the chats of the limits refuse. The person is the holder, for a bot its creator.',
      }),
    ),
    expires_at: Type.Optional(TimeInput),
  },
  { additionalProperties: false },
)
export type TokenLimits = Static<typeof TokenLimits>

/** A write that waits for a person. */
export const Approval = Type.Object({
  id: Id,
  token_id: Type.Integer({ format: 'int64', description: 'The token whose request waits.' }),
  token_name: Nullable(Type.String(), { description: 'As its holder named it.' }),
  user_id: Type.Integer({ format: 'int64', description: 'Who would act: the caller, or one of their bots.' }),
  operation: Type.String({ description: 'Id of the operation.' }),
  request: Type.Object({
    method: Type.String(),
    path: Type.String(),
    body: Type.Any({ description: 'As it was sent; null where there is none.' }),
  }),
  state: Enum(['pending', 'approved', 'refused', 'used']),
  created_at: Timestamp,
  decided_at: NullableTimestamp,
})
export type Approval = Static<typeof Approval>

const asked = {
  area: 'OAuth',
  scope: null,
  plan: null,
  roles: PEOPLE,
  rate: 'other',
  sessionOnly: true,
  addition: true,
} as const

export const listApprovals = operation({
  ...asked,
  id: 'listApprovals',
  summary: 'Writes of own tokens and bots that wait for the caller',
  description: 'Newest first, those that were decided too.',
  method: 'GET',
  path: '/approvals',
  query: Type.Object({ limit: Type.Optional(Limit(50)), cursor: Type.Optional(Cursor) }),
  returns: { status: 200, body: Page(Approval) },
  problems: { 400: ['invalid'] },
})

export const decideApproval = operation({
  ...asked,
  id: 'decideApproval',
  summary: 'Let a write pass once, or refuse it',
  description: 'The program sends the same request again after that: an approved one passes once.',
  method: 'PUT',
  path: '/approvals/{id}',
  params: Type.Object({ id: Id }),
  body: Type.Object({ approved: Type.Boolean() }),
  returns: { status: 200, body: Data(Approval) },
  problems: { 404: ['not_found'], 409: ['already_exists'] },
})
