import { type Static, Type } from 'typebox'
import { operation } from '../operation.js'
import { EMPLOYEES, NO_TOKEN } from '../scopes.js'
import { Cursor, Data, Id, Limit, Nullable, NullableTimestamp, Page, Timestamp } from '../shapes.js'
import { BotCreateRequest, BotUpdateRequest, BotWebhook, CompanyBotWebhook } from './settings.js'

/** Sign-in on behalf of employees. */
export const BotOAuthClient = Type.Object({
  client_id: Type.String(),
  client_secret_preview: Type.String({ description: 'Masked.' }),
  confidential: Type.Boolean({ description: 'False means a client without a secret.' }),
  redirect_uris: Type.Array(Type.String()),
  scopes: Type.Array(Type.String()),
})
export type BotOAuthClient = Static<typeof BotOAuthClient>

/** Page in the catalogue of bots. */
export const BotPromo = Type.Object({
  description: Nullable(Type.String()),
  published: Type.Boolean(),
  promo_images: Type.Array(
    Type.Object({
      key: Type.String(),
      url: Type.String(),
    }),
    { maxItems: 5 },
  ),
})
export type BotPromo = Static<typeof BotPromo>

/** Fields of a bot besides its id and its settings. */
const about = {
  name: Type.Optional(Type.String()),
  nickname: Type.Optional(Type.String()),
  avatar_url: Type.Optional(Nullable(Type.String())),
  creator_id: Type.Optional(Nullable(Id)),
  created_at: Type.Optional(Timestamp),
  authorized_users_count: Type.Optional(Type.Integer({ format: 'int32' })),
  last_used_at: Type.Optional(NullableTimestamp),
  oauth_client_enabled: Type.Optional(Type.Boolean()),
  oauth_client: Type.Optional(Nullable(BotOAuthClient)),
  promo: Type.Optional(Nullable(BotPromo)),
  permissions: Type.Optional(
    Type.Object({
      update_oauth_client: Type.Boolean(),
      recreate_token: Type.Boolean(),
      destroy: Type.Boolean(),
    }),
  ),
  signing_secret: Type.Optional(
    Type.String({ description: 'Key of webhook signatures, for those who manage tokens.' }),
  ),
}

/** A bot. Its token must never be in here. Fields marked `x-edition: later` may be left out. */
export const BotResponse = Type.Object({
  id: Type.Integer({ format: 'int32', description: 'Equals the user id of the bot.' }),
  webhook: BotWebhook,
  ...about,
})
export type BotResponse = Static<typeof BotResponse>

/** A bot with its token, sent at creation and at rotation only. */
export const BotCreateResponse = Type.Object({
  id: Id,
  webhook: BotWebhook,
  access_token: Type.String(),
  ...about,
  client_secret: Type.Optional(Type.String({ description: 'Sent once.' })),
})
export type BotCreateResponse = Static<typeof BotCreateResponse>

/** A bot with a new client secret, sent once. */
export const BotWithClientSecret = Type.Intersect([
  BotResponse,
  Type.Object({
    client_secret: Type.String(),
  }),
])
export type BotWithClientSecret = Static<typeof BotWithClientSecret>

/** A bot in the workspace-wide list. */
export const CompanyBot = Type.Object({
  id: Type.Integer({ format: 'int32', description: 'Equals the user id of the bot.' }),
  webhook: CompanyBotWebhook,
})
export type CompanyBot = Static<typeof CompanyBot>

export const listBots = operation({
  id: 'listBots',
  area: 'Bots',
  summary: 'Bots the caller may configure',
  access: 'Own bots and bots whose settings let the caller edit.',
  method: 'GET',
  path: '/bots',
  scope: 'bots:read',
  plan: null,
  roles: EMPLOYEES,
  rate: 'other',
  query: Type.Object({
    query: Type.Optional(Type.String({ description: 'Part of the name.' })),
    limit: Type.Optional(Limit(50)),
    cursor: Type.Optional(Cursor),
  }),
  returns: { status: 200, body: Page(BotResponse) },
})

export const createBot = operation({
  id: 'createBot',
  area: 'Bots',
  summary: 'New bot',
  description: 'With `empty` there is no token yet, and no `access_token` in the answer.',
  access: 'Personal tokens only; the caller becomes the creator.',
  method: 'POST',
  path: '/bots',
  scope: 'bots:write',
  plan: null,
  roles: EMPLOYEES,
  rate: 'other',
  confined: false,
  body: BotCreateRequest,
  returns: { status: 201, body: Data(BotCreateResponse), variant: Data(BotResponse) },
  problems: {
    400: [
      'blank',
      'too_long',
      'invalid',
      'already_exists',
      'inclusion',
      'invalid_webhook_url',
      'not_applicable',
    ],
  },
})

export const getBot = operation({
  id: 'getBot',
  area: 'Bots',
  summary: 'One bot',
  access: 'Only bots the caller may configure, otherwise 403.',
  method: 'GET',
  path: '/bots/{id}',
  scope: 'bots:read',
  plan: null,
  roles: EMPLOYEES,
  rate: 'other',
  params: Type.Object({ id: Id }),
  returns: { status: 200, body: Data(BotResponse) },
  problems: { 404: ['not_found'] },
})

export const updateBot = operation({
  id: 'updateBot',
  area: 'Bots',
  summary: 'Change a bot',
  description:
    'Scope changes take effect immediately, also for the token in use. `single_chat` has no effect here.',
  access: 'Creator, and whoever can_edit names.',
  method: 'PUT',
  path: '/bots/{id}',
  scope: 'bots:write',
  plan: null,
  roles: EMPLOYEES,
  rate: 'other',
  confined: false,
  params: Type.Object({ id: Id }),
  body: BotUpdateRequest,
  returns: { status: 200, body: Data(BotResponse) },
  problems: {
    400: ['inclusion'],
    404: ['not_found'],
    409: ['bot_changed_concurrently'],
    422: ['blank', 'too_long', 'invalid', 'already_exists', 'invalid_webhook_url', 'not_applicable'],
  },
})

export const deleteBot = operation({
  id: 'deleteBot',
  area: 'Bots',
  summary: 'Delete a bot for good',
  description:
    'Its tokens stop working immediately; it is taken out of every chat and gets no more webhooks.',
  access: 'Creator; workspace admin when can_edit holds `admin`. Chat owners and chat admins get 403.',
  method: 'DELETE',
  path: '/bots/{id}',
  scope: 'bots:write',
  plan: null,
  roles: EMPLOYEES,
  rate: 'other',
  confined: false,
  params: Type.Object({ id: Id }),
  returns: { status: 204 },
  problems: { 404: ['not_found'] },
})

export const rotateBotClientSecret = operation({
  id: 'rotateBotClientSecret',
  area: 'Bots',
  summary: 'New client secret for sign-in on behalf of employees',
  description: '400 unless that sign-in is on and the client keeps a secret.',
  access: 'Creator; workspace admin when can_edit holds `admin`.',
  method: 'POST',
  path: '/bots/{id}/rotate_client_secret',
  scope: 'bots:write',
  plan: null,
  roles: EMPLOYEES,
  rate: 'other',
  params: Type.Object({ id: Id }),
  returns: { status: 200, body: Data(BotWithClientSecret) },
  problems: { 400: ['not_applicable'], 404: ['not_found'] },
  optional: true,
})

export const getPromoImage = operation({
  id: 'getPromoImage',
  area: 'Bots',
  summary: 'A picture of the page of a bot',
  description: 'Leads on to the storage.',
  access: 'Anybody.',
  method: 'GET',
  path: '/bots/{id}/promo/{position}',
  scope: null,
  plan: null,
  roles: NO_TOKEN,
  rate: 'anonymous',
  params: Type.Object({ id: Id, position: Type.Integer() }),
  returns: { status: 302 },
  problems: { 404: ['not_found'] },
  root: true,
  addition: true,
})
