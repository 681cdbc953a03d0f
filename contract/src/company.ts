import { type Static, Type } from 'typebox'
import { CompanyBot } from './bots/index.js'
import { Chat, ChatActivity } from './chats.js'
import { HEALTH_FINDINGS, type HealthCode } from './health-findings.js'
import { operation } from './operation.js'
import { ADMINS, OWNER } from './scopes.js'
import { annotated, Cursor, Data, Enum, Limit, Nullable, Page } from './shapes.js'

export const listCompanyChats = operation({
  id: 'listCompanyChats',
  area: 'Workspace',
  summary: 'All conversations and channels of the workspace',
  access:
    'Workspace owner only. Each call is logged as company_chats_accessed. No personal chats, no threads.',
  mayLag: true,
  method: 'GET',
  path: '/company/chats',
  scope: 'company_chats:read',
  plan: 'corporation',
  roles: OWNER,
  rate: 'company',
  query: Type.Object({
    query: Type.Optional(Type.String({ description: 'Words of the name begin with these.' })),
    activity: Type.Optional(annotated(ChatActivity, { description: 'Absent means both.' })),
    limit: Type.Optional(Limit(50)),
    cursor: Type.Optional(Cursor),
  }),
  returns: { status: 200, body: Page(Chat) },
})

export const listCompanyBots = operation({
  id: 'listCompanyBots',
  area: 'Workspace',
  summary: 'All bots of the workspace',
  access: 'Workspace owner only. Each call is logged as company_bots_accessed.',
  mayLag: true,
  method: 'GET',
  path: '/company/bots',
  scope: 'company_bots:read',
  plan: 'corporation',
  roles: OWNER,
  rate: 'company',
  query: Type.Object({
    query: Type.Optional(Type.String({ description: 'Part of the name.' })),
    limit: Type.Optional(Limit(50)),
    cursor: Type.Optional(Cursor),
  }),
  returns: { status: 200, body: Page(CompanyBot) },
})

/** What the owner decides for the whole workspace. */
export const WorkspaceSettings = Type.Object({
  name: Type.String({ minLength: 1, maxLength: 255 }),
  time_zone: Type.String({ description: 'IANA name.' }),
  plan: Enum(['corporation', 'standard']),
  integrations: Enum(['admins', 'all'], { description: 'Who may create bots.' }),
  personal_tokens: Enum(['admins', 'all'], {
    description: 'Who may create personal tokens. Those issued before keep working.',
  }),
  own_names: Enum(['admins', 'all'], {
    description: 'Who may change their own name, nickname and title.',
  }),
  show_personal_data: Type.Boolean({ description: 'Whether employees see mail and phone of one another.' }),
  perimeter: Type.Array(Type.String(), { maxItems: 1000, description: 'Addresses and networks (CIDR).' }),
  second_factor: Enum(['optional', 'required'], {
    description:
      'Required: people without a second factor can do nothing but set one up. Tokens of scripts and bots go on.',
  }),
  password_sign_in: Enum(['on', 'off'], {
    description:
      'Off: people sign in through identity providers alone. It needs a provider through which the owner has signed in.',
  }),
  licenses: Nullable(Type.Integer({ format: 'int32', minimum: 1 }), { description: 'Null: no limit.' }),
  removed_members_keep_threads: Type.Boolean({
    description: 'Whether those who leave a closed chat stay in its threads that they were in.',
  }),
  webhook_secret: Type.String({
    description:
      'Signs notices of the workspace, such as that an export is ready. It cannot be changed here.',
  }),
})
export type WorkspaceSettings = Static<typeof WorkspaceSettings>

const ChangeableSettings = Type.Partial(Type.Omit(WorkspaceSettings, ['webhook_secret']))

export const getWorkspaceSettings = operation({
  id: 'getWorkspaceSettings',
  area: 'Workspace',
  summary: 'Settings of the workspace',
  method: 'GET',
  path: '/company/settings',
  scope: null,
  plan: null,
  roles: OWNER,
  rate: 'other',
  sessionOnly: true,
  addition: true,
  returns: { status: 200, body: Data(WorkspaceSettings) },
})

export const updateWorkspaceSettings = operation({
  id: 'updateWorkspaceSettings',
  area: 'Workspace',
  summary: 'Change settings of the workspace',
  description: 'Only passed fields change.',
  method: 'PUT',
  path: '/company/settings',
  scope: null,
  plan: null,
  roles: OWNER,
  rate: 'other',
  sessionOnly: true,
  addition: true,
  body: ChangeableSettings,
  returns: { status: 200, body: Data(WorkspaceSettings) },
  problems: { 400: ['inclusion'], 422: ['invalid', 'blank', 'too_long'] },
})

/** How large the workspace is. */
export const WorkspaceUsage = Type.Object({
  version: Type.String({ description: 'Release of the server.' }),
  people: Type.Integer({
    description: 'Confirmed and not suspended, without guests and bots: those who take up a licence.',
  }),
  guests: Type.Integer({ description: 'Guests of both kinds.' }),
  bots: Type.Integer(),
  invited: Type.Integer({ description: 'Invitations that nobody has accepted yet.' }),
  suspended: Type.Integer(),
  licenses: Nullable(Type.Integer({ format: 'int32' }), { description: 'Null: no limit.' }),
  chats: Type.Integer({ description: 'Conversations and channels that are not archived.' }),
  messages: Type.Integer({ description: 'An estimate.' }),
  files: Type.Integer(),
  files_bytes: Type.Integer({ format: 'int64', description: 'Size of all files.' }),
  database_bytes: Type.Integer({ format: 'int64', description: 'Size of the database.' }),
})
export type WorkspaceUsage = Static<typeof WorkspaceUsage>

export const getWorkspaceUsage = operation({
  id: 'getWorkspaceUsage',
  area: 'Workspace',
  summary: 'People, messages and space in numbers',
  method: 'GET',
  path: '/company/usage',
  scope: null,
  plan: null,
  roles: ADMINS,
  rate: 'other',
  sessionOnly: true,
  addition: true,
  returns: { status: 200, body: Data(WorkspaceUsage) },
})

/** What the server allows, as its operator set it. */
export const WorkspaceLimits = Type.Object({
  rates_enabled: Type.Boolean({ description: 'Whether requests are counted at all.' }),
  rates: Type.Array(
    Type.Object({
      name: Type.String({ description: 'As in `RateLimit-Policy`.' }),
      requests: Type.Integer({ format: 'int32', description: 'So many within the window.' }),
      window_s: Type.Number({ description: 'In seconds.' }),
      by: Enum(['token', 'token-and-chat', 'address', 'account', 'webhook-key'], {
        description: 'What is counted apart.',
      }),
    }),
    { description: 'Windows of requests; a call counts in those of its class.' },
  ),
  upload_bytes: Type.Integer({ format: 'int64', description: 'Size of a file at most.' }),
  upload_quota_bytes: Type.Integer({ format: 'int64', description: 'What a person may upload in 14 days.' }),
})
export type WorkspaceLimits = Static<typeof WorkspaceLimits>

export const getWorkspaceLimits = operation({
  id: 'getWorkspaceLimits',
  area: 'Workspace',
  summary: 'Limits of requests and uploads',
  method: 'GET',
  path: '/company/limits',
  scope: null,
  plan: null,
  roles: ADMINS,
  rate: 'other',
  sessionOnly: true,
  addition: true,
  returns: { status: 200, body: Data(WorkspaceLimits) },
})

/** What is right or wrong with the server and everything that it needs. */
export const HealthFinding = Type.Object({
  check: Type.String({ description: 'What was tried, such as `database` or `mail`.' }),
  state: Enum(['ok', 'warning', 'failed'], { description: 'How it went.' }),
  detail: Type.String({ description: 'What was found.' }),
  advice: Nullable(Type.String(), { description: 'What to do about it; null where nothing is to be done.' }),
  code: Enum(Object.keys(HEALTH_FINDINGS) as HealthCode[], {
    description: 'The finding, for clients with words of their own.',
  }),
  values: Type.Record(Type.String(), Type.Union([Type.String(), Type.Number()]), {
    description: 'What the finding names, such as `host` or `free_gb`.',
  }),
})
export type HealthFinding = Static<typeof HealthFinding>

export const getHealth = operation({
  id: 'getHealth',
  area: 'Workspace',
  summary: 'What is right or wrong with the server',
  description: 'Tries everything that is set up, as `parley doctor` does; this takes a few seconds.',
  access: 'Workspace owner only.',
  method: 'GET',
  path: '/company/health',
  scope: null,
  plan: null,
  roles: OWNER,
  rate: 'other',
  sessionOnly: true,
  addition: true,
  returns: { status: 200, body: Data(Type.Array(HealthFinding)) },
})
