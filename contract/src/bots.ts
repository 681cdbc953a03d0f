import { type Static, Type } from 'typebox'
import { BOT_EVENT_NAMES } from './event-names.js'
import { operation } from './operation.js'
import { BOTS, EMPLOYEES, NO_TOKEN } from './scopes.js'
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

/** Who besides the creator may edit: workspace admins (and the owner), or owners of chats the bot is in. */
export const BotCanEdit = Enum(['admin', 'chat_owners'])
export type BotCanEdit = Static<typeof BotCanEdit>

/** Events a bot can subscribe to. */
export const BotEventName = Enum(BOT_EVENT_NAMES)
export type BotEventName = Static<typeof BotEventName>

/** Template language of the inbound webhook. */
export const BotTemplateEngine = Enum(['liquid', 'mustache'])
export type BotTemplateEngine = Static<typeof BotTemplateEngine>

/** When new messages are sent to the bot: commands only, all messages, or link previews (for a preview bot). */
export const BotTriggerOn = Enum(['commands', 'all_messages', 'unfurl'])
export type BotTriggerOn = Static<typeof BotTriggerOn>

/** Who may add the bot to chats; the last value makes the bot public. */
export const BotWhoCanAdd = Enum(['creator', 'creator_admin', 'creator_admin_user', 'anyone'])
export type BotWhoCanAdd = Static<typeof BotWhoCanAdd>

/** Only the name is required. */
export const BotCreateRequest = Type.Object({
  webhook: Type.Object({
    name: Type.String({ maxLength: 255 }),
    nickname: Type.Optional(
      Type.String({
        maxLength: 255,
        description:
          'Ends in `_bot`; no other account of the workspace may use it. When absent the server makes one from the name.',
      }),
    ),
    outgoing_url: Type.Optional(
      Type.String({ description: 'An empty string disables the outgoing webhook.' }),
    ),
    events: Type.Optional(Type.Array(BotEventName)),
    trigger_on: Type.Optional(annotated(BotTriggerOn, { default: 'commands' })),
    commands: Type.Optional(
      Type.Array(Type.String(), {
        description: 'Each starts with `/`; all of them joined with commas must fit in 255 characters.',
      }),
    ),
    scopes: Type.Optional(
      Type.Array(Type.String(), {
        description:
          'When absent the bot gets the default set. A scope the bot role cannot hold is refused with 400.',
      }),
    ),
    template: Type.Optional(Type.String()),
    template_engine: Type.Optional(annotated(BotTemplateEngine, { default: 'liquid' })),
    challenge_key: Type.Optional(Type.String()),
    link_preview_enabled: Type.Optional(Type.Boolean({ default: true })),
    ignore_self_messages: Type.Optional(Type.Boolean({ default: false })),
    events_history_enabled: Type.Optional(Type.Boolean({ default: false })),
    who_can_add: Type.Optional(annotated(BotWhoCanAdd, { default: 'creator' })),
    can_edit: Type.Optional(Type.Array(BotCanEdit)),
    single_chat: Type.Optional(Type.Boolean({ default: false, description: 'Can be set only here.' })),
    kind: Type.Optional(
      Nullable(Enum(['simple', 'gitlab', 'grafana']), {
        description: 'Source of the inbound webhook; null when it is off.',
      }),
    ),
    unfurl_domains: Type.Optional(
      Type.Array(Type.String(), { maxItems: 5, description: 'Workspace admins only.' }),
    ),
  }),
  oauth_client: Type.Optional(
    Nullable(
      Type.Object({
        confidential: Type.Optional(Type.Boolean({ default: true })),
        redirect_uris: Type.Optional(Type.Array(Type.String())),
        scopes: Type.Optional(Type.Array(Type.String())),
      }),
      { description: 'Null turns it off.' },
    ),
  ),
  promo: Type.Optional(
    Nullable(
      Type.Object({
        description: Type.Optional(Type.String()),
        published: Type.Optional(Type.Boolean()),
        promo_images: Type.Optional(Type.Array(Type.String(), { maxItems: 5 })),
      }),
    ),
  ),
  empty: Type.Optional(Type.Boolean({ default: false, description: 'No token and no inbound webhook yet.' })),
})
export type BotCreateRequest = Static<typeof BotCreateRequest>

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

/** Settings of a bot. */
export const BotWebhook = Type.Object({
  name: Type.String({ maxLength: 255 }),
  nickname: Type.String({ pattern: '_bot$', maxLength: 255 }),
  outgoing_url: Type.String({
    description: 'Address of outgoing webhooks; an empty string when there is none.',
  }),
  events: Type.Array(BotEventName),
  trigger_on: BotTriggerOn,
  commands: Type.Array(Type.String(), {
    description: 'Words that trigger the bot in command mode; each starts with `/`.',
  }),
  scopes: Type.Array(Type.String(), {
    description:
      'Scopes of the bot token. Plain strings: the default set may hold more than can be assigned.',
  }),
  template: Type.String({
    description: 'Message template of the inbound webhook; an empty string when there is none.',
  }),
  template_engine: BotTemplateEngine,
  challenge_key: Type.String({
    description:
      'Field of an inbound body that is echoed back for verification; an empty string when there is none.',
  }),
  link_preview_enabled: Type.Boolean({
    description: 'Link previews in messages posted by the inbound webhook.',
  }),
  ignore_self_messages: Type.Boolean({
    description: 'Skip webhooks about the bot own messages. Button presses are always delivered.',
  }),
  events_history_enabled: Type.Boolean({ description: 'Keep outgoing webhooks in the queue as well.' }),
  single_chat: Type.Boolean({
    description:
      'The bot may belong to one conversation or channel only; personal chats and threads do not count.',
  }),
  can_edit: Type.Array(BotCanEdit, {
    description: 'Who may change the settings besides the creator; empty means the creator only.',
  }),
  who_can_add: BotWhoCanAdd,
  kind: Type.Optional(
    Nullable(Enum(['simple', 'gitlab', 'grafana']), {
      description: 'Source of the inbound webhook; null when it is off.',
    }),
  ),
  unfurl_domains: Type.Optional(Type.Array(Type.String(), { maxItems: 5, description: 'Watched domains.' })),
  last_request_at: Type.Optional(
    annotated(NullableTimestamp, { description: 'Last call of the inbound webhook.' }),
  ),
  last_request: Type.Optional(
    Nullable(Type.Object({}), { description: 'What the inbound webhook received last.' }),
  ),
  inbound_url: Type.Optional(
    Nullable(Type.String(), {
      description: 'Address of the inbound webhook, for those who manage tokens; null while it is off.',
    }),
  ),
  paused_at: Type.Optional(
    annotated(NullableTimestamp, {
      description: 'Since when the outgoing address is paused after failing for too long.',
    }),
  ),
})
export type BotWebhook = Static<typeof BotWebhook>

/** A bot with its token, sent at creation and at rotation only. */
export const BotCreateResponse = Type.Object({
  id: Id,
  webhook: BotWebhook,
  access_token: Type.String(),
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
  client_secret: Type.Optional(Type.String({ description: 'Sent once.' })),
})
export type BotCreateResponse = Static<typeof BotCreateResponse>

/** A bot. Its token must never be in here. Fields marked `x-edition: later` may be left out. */
export const BotResponse = Type.Object({
  id: Type.Integer({ format: 'int32', description: 'Equals the user id of the bot.' }),
  webhook: BotWebhook,
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
})
export type BotResponse = Static<typeof BotResponse>

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
})
export type BotTokenRequest = Static<typeof BotTokenRequest>

/** Only passed fields change; `scopes` takes the place of the old list at once. */
export const BotTokenUpdateRequest = Type.Object({
  name: Type.Optional(Type.String({ maxLength: 255 })),
  scopes: Type.Optional(Type.Array(Type.String())),
})
export type BotTokenUpdateRequest = Static<typeof BotTokenUpdateRequest>

/** Only passed fields change; a passed `commands` or `scopes` list takes the place of the old one. */
export const BotUpdateRequest = Type.Object({
  webhook: Type.Object({
    name: Type.Optional(Type.String({ maxLength: 255 })),
    nickname: Type.Optional(
      Type.String({
        maxLength: 255,
        description: 'Ends in `_bot`; no other account of the workspace may use it.',
      }),
    ),
    outgoing_url: Type.Optional(
      Type.String({ description: 'An empty string disables the outgoing webhook.' }),
    ),
    events: Type.Optional(Type.Array(BotEventName)),
    trigger_on: Type.Optional(BotTriggerOn),
    commands: Type.Optional(
      Type.Array(Type.String(), {
        description: 'Each starts with `/`; all of them joined with commas must fit in 255 characters.',
      }),
    ),
    scopes: Type.Optional(
      Type.Array(Type.String(), {
        description: 'Replaces the whole set. A scope the bot role cannot hold is refused with 400.',
      }),
    ),
    template: Type.Optional(Type.String()),
    template_engine: Type.Optional(BotTemplateEngine),
    challenge_key: Type.Optional(Type.String()),
    link_preview_enabled: Type.Optional(Type.Boolean()),
    ignore_self_messages: Type.Optional(Type.Boolean()),
    events_history_enabled: Type.Optional(Type.Boolean()),
    who_can_add: Type.Optional(BotWhoCanAdd),
    can_edit: Type.Optional(Type.Array(BotCanEdit)),
    single_chat: Type.Optional(Type.Boolean({ description: 'Accepted and ignored.' })),
    kind: Type.Optional(
      Nullable(Enum(['simple', 'gitlab', 'grafana']), {
        description: 'Source of the inbound webhook; null when it is off.',
      }),
    ),
    unfurl_domains: Type.Optional(
      Type.Array(Type.String(), { maxItems: 5, description: 'Workspace admins only.' }),
    ),
  }),
  oauth_client: Type.Optional(
    Nullable(
      Type.Object({
        confidential: Type.Optional(Type.Boolean({ default: true })),
        redirect_uris: Type.Optional(Type.Array(Type.String())),
        scopes: Type.Optional(Type.Array(Type.String())),
      }),
      { description: 'Null turns it off.' },
    ),
  ),
  promo: Type.Optional(
    Nullable(
      Type.Object({
        description: Type.Optional(Type.String()),
        published: Type.Optional(Type.Boolean()),
        promo_images: Type.Optional(Type.Array(Type.String(), { maxItems: 5 })),
      }),
    ),
  ),
})
export type BotUpdateRequest = Static<typeof BotUpdateRequest>

/** An empty address disables the webhook. */
export const BotWebhookSelfUpdateRequest = Type.Object({
  webhook: Type.Object({
    outgoing_url: Type.String(),
  }),
})
export type BotWebhookSelfUpdateRequest = Static<typeof BotWebhookSelfUpdateRequest>

/** A bot with a new client secret, sent once. */
export const BotWithClientSecret = Type.Intersect([
  BotResponse,
  Type.Object({
    client_secret: Type.String(),
  }),
])
export type BotWithClientSecret = Static<typeof BotWithClientSecret>

/** Settings of a bot in the workspace list. For a bot the caller may not edit every setting but name and nickname is null (leaving them out is read the same way). */
export const CompanyBotWebhook = Type.Object({
  name: Type.String({ maxLength: 255 }),
  nickname: Type.String({ maxLength: 255 }),
  outgoing_url: Type.Optional(
    Nullable(Type.String(), {
      description: 'Address of outgoing webhooks; an empty string when there is none.',
    }),
  ),
  events: Type.Optional(Nullable(Type.Array(BotEventName))),
  trigger_on: Type.Optional(Nullable(BotTriggerOn)),
  commands: Type.Optional(
    Nullable(Type.Array(Type.String()), {
      description: 'Words that trigger the bot in command mode; each starts with `/`.',
    }),
  ),
  scopes: Type.Optional(
    Nullable(Type.Array(Type.String()), {
      description:
        'Scopes of the bot token. Plain strings: the default set may hold more than can be assigned.',
    }),
  ),
  template: Type.Optional(
    Nullable(Type.String(), {
      description: 'Message template of the inbound webhook; an empty string when there is none.',
    }),
  ),
  template_engine: Type.Optional(Nullable(BotTemplateEngine)),
  challenge_key: Type.Optional(
    Nullable(Type.String(), {
      description:
        'Field of an inbound body that is echoed back for verification; an empty string when there is none.',
    }),
  ),
  link_preview_enabled: Type.Optional(
    Nullable(Type.Boolean(), { description: 'Link previews in messages posted by the inbound webhook.' }),
  ),
  ignore_self_messages: Type.Optional(
    Nullable(Type.Boolean(), {
      description: 'Skip webhooks about the bot own messages. Button presses are always delivered.',
    }),
  ),
  events_history_enabled: Type.Optional(
    Nullable(Type.Boolean(), { description: 'Keep outgoing webhooks in the queue as well.' }),
  ),
  single_chat: Type.Optional(
    Nullable(Type.Boolean(), {
      description:
        'The bot may belong to one conversation or channel only; personal chats and threads do not count.',
    }),
  ),
  can_edit: Type.Optional(
    Nullable(Type.Array(BotCanEdit), {
      description: 'Who may change the settings besides the creator; empty means the creator only.',
    }),
  ),
  who_can_add: Type.Optional(Nullable(BotWhoCanAdd)),
})
export type CompanyBotWebhook = Static<typeof CompanyBotWebhook>

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
  problems: { 400: [] },
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
  body: BotCreateRequest,
  returns: { status: 201, body: Data(BotCreateResponse), variant: Data(BotResponse) },
  problems: { 400: ['blank', 'too_long', 'invalid', 'already_exists', 'inclusion', 'invalid_webhook_url'] },
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
  problems: { 404: [] },
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
  params: Type.Object({ id: Id }),
  body: BotUpdateRequest,
  returns: { status: 200, body: Data(BotResponse) },
  problems: {
    400: ['inclusion'],
    404: [],
    409: ['bot_changed_concurrently'],
    422: ['blank', 'too_long', 'invalid', 'already_exists', 'invalid_webhook_url'],
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
  params: Type.Object({ id: Id }),
  returns: { status: 204 },
  problems: { 404: [] },
})

export const rotateBotToken = operation({
  id: 'rotateBotToken',
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
  problems: { 404: [] },
})

export const rotateOwnToken = operation({
  id: 'rotateOwnToken',
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
  problems: { 404: [] },
})

export const setOwnWebhook = operation({
  id: 'setOwnWebhook',
  area: 'Bots',
  summary: 'A bot sets its own outgoing webhook',
  access: 'Bot tokens only.',
  method: 'PUT',
  path: '/bot/webhook',
  scope: 'bot_self:webhook:write',
  plan: null,
  roles: BOTS,
  rate: 'other',
  body: BotWebhookSelfUpdateRequest,
  returns: { status: 200, body: Data(BotResponse) },
  problems: { 400: [], 422: ['invalid_webhook_url'] },
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
  problems: { 400: [], 404: [] },
})

export const issueBotToken = operation({
  id: 'issueBotToken',
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
  problems: { 400: [], 404: [], 422: [] },
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
  problems: { 400: [], 404: [], 422: [] },
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
  problems: { 404: [] },
})

export const reissueBotToken = operation({
  id: 'reissueBotToken',
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
  problems: { 404: [] },
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
  problems: { 404: [] },
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
  problems: { 400: ['not_applicable'], 404: [] },
  optional: true,
})

export const rotateSigningSecret = operation({
  id: 'rotateSigningSecret',
  area: 'Bots',
  summary: 'New signing secret for the webhooks of a bot',
  description: 'The next attempt is signed with it already.',
  access: 'Creator; workspace admin when can_edit holds `admin`.',
  method: 'POST',
  path: '/bots/{id}/webhook/rotate_secret',
  scope: 'bots:write',
  plan: null,
  roles: EMPLOYEES,
  rate: 'other',
  params: Type.Object({ id: Id }),
  returns: { status: 200, body: Data(BotResponse) },
  problems: { 404: [] },
  addition: true,
})

export const rotateInboundUrl = operation({
  id: 'rotateInboundUrl',
  area: 'Bots',
  summary: 'New address for the inbound webhook of a bot',
  description: 'The old address answers 404 from then on. Refused while the inbound webhook is off.',
  access: 'Creator; workspace admin when can_edit holds `admin`.',
  method: 'POST',
  path: '/bots/{id}/webhook/rotate_inbound_url',
  scope: 'bots:write',
  plan: null,
  roles: EMPLOYEES,
  rate: 'other',
  params: Type.Object({ id: Id }),
  returns: { status: 200, body: Data(BotResponse) },
  problems: { 404: [], 422: ['not_applicable'] },
  addition: true,
})

export const resumeWebhook = operation({
  id: 'resumeWebhook',
  area: 'Bots',
  summary: 'Send what waits for a paused address',
  description: 'Everything that waits is due at once, in order; the count of failures starts again.',
  access: 'Whoever may edit the bot.',
  method: 'POST',
  path: '/bots/{id}/webhook/resume',
  scope: 'bots:write',
  plan: null,
  roles: EMPLOYEES,
  rate: 'other',
  params: Type.Object({ id: Id }),
  returns: { status: 204 },
  problems: { 404: [] },
  addition: true,
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
  problems: { 404: ['not_found'], 429: [] },
  root: true,
  addition: true,
})
