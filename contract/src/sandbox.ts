import { type Static, Type } from 'typebox'
import { submitView } from './forms.js'
import { operation } from './operation.js'
import { NO_TOKEN, Scope } from './scopes.js'
import { Data, Enum, Id, Nullable, Timestamp } from './shapes.js'

const control = {
  area: 'Sandbox',
  access: 'Only in a sandbox, only from loopback, without a token.',
  scope: null,
  plan: null,
  roles: NO_TOKEN,
  rate: null,
  root: true,
  sandbox: true,
  addition: true,
} as const

/** A misspelt field would change nothing, and a test would wait for what never comes. */
const STRICT = { additionalProperties: false } as const

const problems = { 400: ['invalid', 'required', 'inclusion', 'wrong_params'], 403: ['forbidden'] } as const

export const SandboxUser = Type.Object({ id: Id, token: Type.String() })
export const SandboxToken = Type.Object({ id: Id, token: Type.String(), scopes: Type.Array(Type.String()) })
export const SandboxClock = Type.Object({ now: Timestamp })
export const SandboxMail = Type.Object({
  to: Type.String(),
  subject: Type.String(),
  text: Type.String(),
  at: Timestamp,
})

export const SandboxWorkspace = Type.Object({
  plan: Enum(['corporation', 'standard']),
  suspended: Type.Boolean(),
  integrations: Enum(['admins', 'all']),
  personal_tokens: Enum(['admins', 'all']),
  show_personal_data: Type.Boolean(),
  perimeter: Type.Array(Type.String()),
})
export type SandboxWorkspace = Static<typeof SandboxWorkspace>

export const createSandboxUser = operation({
  ...control,
  id: 'createSandboxUser',
  summary: 'Make a person with a token that holds every scope of the role',
  method: 'POST',
  path: '/sandbox/users',
  body: Type.Object(
    {
      role: Type.Optional(Enum(['user', 'admin', 'multi_guest', 'guest'])),
      first_name: Type.Optional(Type.String({ maxLength: 255 })),
      nickname: Type.Optional(Type.String({ maxLength: 255 })),
      email: Type.Optional(Type.String({ maxLength: 255 })),
      suspended: Type.Optional(Type.Boolean()),
      chat_id: Type.Optional(Id),
    },
    STRICT,
  ),
  bodyOptional: true,
  returns: { status: 201, body: Data(SandboxUser) },
  problems: { ...problems, 404: ['not_found'], 409: ['already_exists'] },
})

export const createSandboxToken = operation({
  ...control,
  id: 'createSandboxToken',
  summary: 'Make a token of a person: some scopes, or a login session',
  method: 'POST',
  path: '/sandbox/tokens',
  body: Type.Object(
    {
      user_id: Id,
      scopes: Type.Optional(Type.Array(Scope)),
      session: Type.Optional(Type.Boolean()),
    },
    STRICT,
  ),
  returns: { status: 201, body: Data(SandboxToken) },
  problems: { ...problems, 404: ['not_found'] },
})

export const getSandboxClock = operation({
  ...control,
  id: 'getSandboxClock',
  summary: 'Read the clock',
  method: 'GET',
  path: '/sandbox/clock',
  returns: { status: 200, body: Data(SandboxClock) },
  problems: { 403: ['forbidden'] },
})

export const moveSandboxClock = operation({
  ...control,
  id: 'moveSandboxClock',
  summary: 'Move the clock forward, or freeze it; answered when everything due is done',
  method: 'POST',
  path: '/sandbox/clock',
  body: Type.Object(
    {
      advance_s: Type.Optional(Type.Number({ minimum: 0 })),
      set: Type.Optional(Type.String()),
      freeze: Type.Optional(Type.Boolean()),
    },
    STRICT,
  ),
  returns: { status: 200, body: Data(SandboxClock) },
  problems,
})

export const settleSandbox = operation({
  ...control,
  id: 'settleSandbox',
  summary: 'Wait until no job is due and no delivery is in flight',
  method: 'POST',
  path: '/sandbox/settle',
  returns: { status: 200, body: Data(Type.Object({ settled: Type.Boolean() })) },
  problems: { 403: ['forbidden'] },
})

export const setSandboxWorkspace = operation({
  ...control,
  id: 'setSandboxWorkspace',
  summary: 'Change settings of the workspace',
  method: 'POST',
  path: '/sandbox/workspace',
  body: Type.Partial(SandboxWorkspace, STRICT),
  returns: { status: 200, body: Data(SandboxWorkspace) },
  problems,
})

export const createSandboxProperty = operation({
  ...control,
  id: 'createSandboxProperty',
  summary: 'Define a custom property',
  method: 'POST',
  path: '/sandbox/custom_properties',
  body: Type.Object(
    {
      entity_type: Enum(['User', 'Task']),
      name: Type.String({ minLength: 1, maxLength: 32 }),
      data_type: Enum(['string', 'number', 'date', 'link']),
    },
    STRICT,
  ),
  returns: {
    status: 201,
    body: Data(Type.Object({ id: Id, name: Type.String(), data_type: Type.String() })),
  },
  problems,
})

export const setSandboxLimits = operation({
  ...control,
  id: 'setSandboxLimits',
  summary: 'Turn the per-second limits on or off',
  method: 'POST',
  path: '/sandbox/limits',
  body: Type.Object({ enabled: Type.Boolean() }, STRICT),
  returns: { status: 200, body: Data(Type.Object({ enabled: Type.Boolean() })) },
  problems,
})

export const listSandboxMail = operation({
  ...control,
  id: 'listSandboxMail',
  summary: 'Mail that the workspace sent, newest last',
  method: 'GET',
  path: '/sandbox/mail',
  returns: { status: 200, body: Data(Type.Array(SandboxMail)) },
  problems: { 403: ['forbidden'] },
})

export const WebhookFault = Type.Object(
  {
    status: Type.Optional(Type.Integer({ minimum: 100, maximum: 599 })),
    timeout: Type.Optional(Type.Boolean()),
    drop: Type.Optional(Type.Boolean()),
    count: Type.Integer({ minimum: 0, maximum: 1_000_000 }),
  },
  STRICT,
)
export type WebhookFault = Static<typeof WebhookFault>

export const setSandboxFaults = operation({
  ...control,
  id: 'setSandboxFaults',
  summary: 'Let the next webhook attempts meet a fault instead of the network',
  method: 'POST',
  path: '/sandbox/faults',
  body: Type.Object({ webhooks: Type.Optional(WebhookFault) }, STRICT),
  returns: { status: 200, body: Data(Type.Object({ webhooks: Nullable(WebhookFault) })) },
  problems,
})

export const resetSandbox = operation({
  ...control,
  id: 'resetSandbox',
  summary: 'Begin again: same owner and token, ids from the start, real clock, limits on, no faults',
  method: 'POST',
  path: '/sandbox/reset',
  returns: { status: 200, body: Data(Type.Object({ owner_id: Id, owner_token: Type.String() })) },
  problems: { 403: ['forbidden'] },
})

/** What a sandbox holds, at most 100 of each, newest first. */
export const SandboxContents = Type.Object({
  now: Timestamp,
  base_url: Type.String(),
  owner_id: Id,
  people: Type.Array(Type.Object({ id: Id, role: Type.String(), nickname: Nullable(Type.String()) })),
  bots: Type.Array(Type.Object({ id: Id, nickname: Nullable(Type.String()), outgoing_url: Type.String() })),
  chats: Type.Array(Type.Object({ id: Id, name: Nullable(Type.String()), kind: Type.String() })),
  calls: Type.Array(Type.Object({ method: Type.String(), path: Type.String(), summary: Type.String() }), {
    description: 'The control API.',
  }),
})
export type SandboxContents = Static<typeof SandboxContents>

export const getSandbox = operation({
  ...control,
  id: 'getSandbox',
  summary: 'What there is: people, bots, chats, and the calls of the control API',
  method: 'GET',
  path: '/sandbox',
  returns: { status: 200, body: Data(SandboxContents) },
  problems: { 403: ['forbidden'] },
})

export const pressInSandbox = operation({
  ...control,
  id: 'pressInSandbox',
  summary: 'Press a button of a message as somebody',
  description: 'The same as `POST /messages/{id}/press` with a token of that person.',
  method: 'POST',
  path: '/sandbox/press',
  body: Type.Object(
    {
      user_id: Id,
      message_id: Id,
      row: Type.Optional(Type.Integer({ minimum: 0, default: 0, description: 'Counted from 0.' })),
      column: Type.Optional(Type.Integer({ minimum: 0, default: 0, description: 'Counted from 0.' })),
    },
    STRICT,
  ),
  returns: { status: 200, body: Data(Type.Object({ trigger_id: Type.String() })) },
  problems: {
    ...problems,
    403: ['forbidden', 'not_authorized'],
    404: ['not_found', 'message_deleted'],
    422: ['not_found', 'not_applicable', 'displayed_error'],
  },
})

export const submitInSandbox = operation({
  ...control,
  id: 'submitInSandbox',
  summary: 'Send a form as somebody',
  description: 'The same as `POST /views/{id}/submit` with a token of that person.',
  method: 'POST',
  path: '/sandbox/submit',
  body: Type.Object(
    {
      user_id: Id,
      view_id: Type.Optional(
        Type.String({ description: 'The newest open form of that person when absent.' }),
      ),
      data: Type.Record(Type.String(), Type.Unknown(), { description: 'Answers by field name.' }),
    },
    STRICT,
  ),
  returns: { status: 200, body: Data(Type.Object({ status: Type.Literal('accepted') })) },
  problems: {
    ...problems,
    404: ['not_found', 'view_not_found'],
    409: ['already_exists'],
    410: submitView.problems[410],
    422: submitView.problems[422],
    504: submitView.problems[504],
  },
})
