import { type Static, Type } from 'typebox'
import { TokenLimits } from '../limits.js'
import { operation } from '../operation.js'
import { BOTS, EMPLOYEES } from '../scopes.js'
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
} from '../shapes.js'
import { BotCreateResponse } from './bots.js'

/** What may be granted to tokens of the bot. */
export const BotScopeCatalogue = Type.Object({
  scopes: Type.Array(
    Type.Object({
      id: Type.String(),
      title: Type.String(),
      group: Type.String({ description: 'Id of a group.' }),
      preset: Type.Array(Type.String({ description: 'Id of a preset.' })),
    }),
  ),
  groups: Type.Array(
    Type.Object({
      id: Type.String(),
      title: Type.String(),
      description: Type.String(),
    }),
  ),
  presets: Type.Array(
    Type.Object({
      id: Enum(['read-only', 'admin']),
      title: Type.String(),
    }),
  ),
})
export type BotScopeCatalogue = Static<typeof BotScopeCatalogue>

/** A token of a bot. */
export const BotToken = Type.Object({
  id: Type.Integer({ format: 'int64', description: 'Token id.' }),
  token: Type.String({
    description:
      'Masked value (first 8 characters, `...`, last 4) in lists; the full value only in the answer to issue and to reissue.',
  }),
  name: Nullable(Type.String(), { description: 'Name given at issue; null when none was given.' }),
  user_id: Type.Integer({ format: 'int64', description: 'The bot that owns the token.' }),
  scopes: Type.Array(Type.String()),
  created_at: Timestamp,
  revoked_at: annotated(NullableTimestamp, { description: 'Always null: revoked tokens are not shown.' }),
  expires_in: Nullable(Type.Integer({ format: 'int32' }), { description: 'Null: bot tokens do not expire.' }),
  last_used_at: annotated(NullableTimestamp, {
    description: 'Null before first use; refreshed at most once an hour.',
  }),
  authorized_at: annotated(NullableTimestamp, {
    description: 'When a person approved the token; null for bot tokens.',
  }),
  limits: Type.Optional(TokenLimits),
})
export type BotToken = Static<typeof BotToken>

/** Further token for a bot. Not wrapped. */
export const BotTokenRequest = Type.Object({
  name: Type.String({ maxLength: 255 }),
  scopes: Type.Optional(
    Type.Array(Type.String(), {
      description: 'Absent gives a token without rights. A scope a bot cannot hold is refused with 400.',
    }),
  ),
  limits: Type.Optional(TokenLimits),
})
export type BotTokenRequest = Static<typeof BotTokenRequest>

/** Only passed fields change; `scopes` takes the place of the old list at once. */
export const BotTokenUpdateRequest = Type.Object({
  name: Type.Optional(Type.String({ maxLength: 255 })),
  scopes: Type.Optional(Type.Array(Type.String())),
  limits: Type.Optional(TokenLimits),
})
export type BotTokenUpdateRequest = Static<typeof BotTokenUpdateRequest>

export const rotateBotToken = operation({
  id: 'rotateBotToken',
  dryRun: false,
  area: 'Bots',
  summary: 'New main token for a bot',
  description: 'The old value dies at once; scopes stay.',
  access: 'Creator; workspace admin when can_edit holds `admin`. A chat owner gets 403.',
  method: 'POST',
  path: '/bots/{id}/recreate_token',
  scope: 'bots:write',
  plan: null,
  roles: EMPLOYEES,
  rate: 'other',
  params: Type.Object({ id: Id }),
  returns: { status: 200, body: Data(BotCreateResponse) },
  problems: { 404: ['not_found'] },
})

export const rotateOwnToken = operation({
  id: 'rotateOwnToken',
  dryRun: false,
  area: 'Bots',
  summary: 'A bot renews the token it calls with',
  access: 'Bot tokens only.',
  method: 'POST',
  path: '/bot/recreate_token',
  scope: 'bot_self:write',
  plan: null,
  roles: BOTS,
  rate: 'other',
  returns: { status: 200, body: Data(BotCreateResponse) },
  problems: { 404: ['not_found'] },
})

export const listBotTokens = operation({
  id: 'listBotTokens',
  area: 'Bots',
  summary: 'Tokens of a bot',
  description: 'Values are masked; revoked tokens are not listed.',
  access: 'Creator; workspace admin when can_edit holds `admin`. A chat owner gets 403.',
  method: 'GET',
  path: '/bots/{id}/tokens',
  scope: 'bots:read',
  plan: null,
  roles: EMPLOYEES,
  rate: 'other',
  params: Type.Object({ id: Id }),
  query: Type.Object({
    limit: Type.Optional(Limit(50)),
    cursor: Type.Optional(Cursor),
  }),
  returns: { status: 200, body: Page(BotToken) },
  problems: { 404: ['not_found'] },
})

export const issueBotToken = operation({
  id: 'issueBotToken',
  dryRun: false,
  area: 'Bots',
  summary: 'Further token for a bot',
  description: 'The full value is in this answer only.',
  access: 'Creator; workspace admin when can_edit holds `admin`. A chat owner gets 403.',
  method: 'POST',
  path: '/bots/{id}/tokens',
  scope: 'bots:write',
  plan: null,
  roles: EMPLOYEES,
  rate: 'other',
  params: Type.Object({ id: Id }),
  body: BotTokenRequest,
  returns: { status: 201, body: Data(BotToken) },
  problems: { 404: ['not_found'], 422: ['blank', 'too_long', 'inclusion', 'invalid'] },
})

export const updateBotToken = operation({
  id: 'updateBotToken',
  area: 'Bots',
  summary: 'Rename a token, change its rights',
  access: 'Creator; workspace admin when can_edit holds `admin`. A chat owner gets 403.',
  method: 'PUT',
  path: '/bots/{id}/tokens/{token_id}',
  scope: 'bots:write',
  plan: null,
  roles: EMPLOYEES,
  rate: 'other',
  params: Type.Object({ id: Id, token_id: Id }),
  body: BotTokenUpdateRequest,
  returns: { status: 200, body: Data(BotToken) },
  problems: { 404: ['not_found'], 422: ['blank', 'too_long', 'inclusion', 'invalid'] },
})

export const revokeBotToken = operation({
  id: 'revokeBotToken',
  area: 'Bots',
  summary: 'Revoke one token',
  access: 'Creator; workspace admin when can_edit holds `admin`. A chat owner gets 403.',
  method: 'DELETE',
  path: '/bots/{id}/tokens/{token_id}',
  scope: 'bots:write',
  plan: null,
  roles: EMPLOYEES,
  rate: 'other',
  params: Type.Object({ id: Id, token_id: Id }),
  returns: { status: 204 },
  problems: { 404: ['not_found'] },
})

export const reissueBotToken = operation({
  id: 'reissueBotToken',
  dryRun: false,
  area: 'Bots',
  summary: 'New value for one token',
  description: 'The old value dies at once; name and scopes stay. The full value is in this answer only.',
  access: 'Creator; workspace admin when can_edit holds `admin`. A chat owner gets 403.',
  method: 'POST',
  path: '/bots/{id}/tokens/{token_id}/reissue',
  scope: 'bots:write',
  plan: null,
  roles: EMPLOYEES,
  rate: 'other',
  params: Type.Object({ id: Id, token_id: Id }),
  returns: { status: 200, body: Data(BotToken) },
  problems: { 404: ['not_found'] },
})

export const listBotScopes = operation({
  id: 'listBotScopes',
  area: 'Bots',
  summary: 'Rights that can be given to the bot',
  description: 'The body is the bare object, without a `data` envelope.',
  access: 'Creator; workspace admin when can_edit holds `admin`.',
  method: 'GET',
  path: '/bots/{id}/scopes',
  scope: 'bots:read',
  plan: null,
  roles: EMPLOYEES,
  rate: 'other',
  params: Type.Object({ id: Id }),
  returns: { status: 200, body: BotScopeCatalogue },
  problems: { 404: ['not_found'] },
})
