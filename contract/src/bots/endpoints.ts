import { type Static, Type } from 'typebox'
import { DeliveryErrorCode } from '../delivery-errors.js'
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
import { BotEventName, BotTriggerOn } from './settings.js'

export const ENDPOINTS_MAX = 10
export const ENDPOINT_HEADERS_MAX = 10
export const ENDPOINT_NAME_MAX = 64
export const ENDPOINT_CHATS_MAX = 100

/** `hmac` has a secret that both sides know, `ed25519` a public key that only checks. */
export const EndpointSignature = Enum(['hmac', 'ed25519'])
export type EndpointSignature = Static<typeof EndpointSignature>

const fields = {
  name: Type.String({
    description: 'One name per bot, whatever the case of its letters; at most 64 characters.',
  }),
  url: Type.String({ description: 'Address that webhooks are posted to.' }),
  events: Type.Array(BotEventName, { description: 'Events that are sent here.' }),
  chat_ids: Nullable(Type.Array(Id, { maxItems: ENDPOINT_CHATS_MAX }), {
    description:
      'Only events of these chats and of threads in them; null for every chat of the bot. Events of no chat are not narrowed.',
  }),
  trigger: annotated(BotTriggerOn, { description: 'Which messages are sent, as `trigger_on` of the bot.' }),
  disabled: Type.Boolean({
    description: 'Takes nothing: what waits is cancelled, what happens is not kept.',
  }),
}

const headers = Type.Record(Type.String(), Type.String(), {
  description: 'Headers to add to every request, at most 10; their values are never shown again.',
})

/** An address of a bot with its own filter, key, order and pause. Endpoint 0, `default`, is the `outgoing_url` of the bot. */
export const Endpoint = Type.Object({
  id: Id,
  ...fields,
  header_names: Type.Array(Type.String(), { description: 'Names of the headers that it adds.' }),
  signature: annotated(EndpointSignature, { description: 'How its requests are signed.' }),
  public_key: Nullable(Type.String(), { description: 'Checks Ed25519 signatures: `whpk_` and base64.' }),
  paused_at: annotated(NullableTimestamp, {
    description: 'Since when it is paused after failing for too long.',
  }),
  failures: Type.Integer({ description: 'Failed attempts in a row.' }),
  created_at: Timestamp,
})
export type Endpoint = Static<typeof Endpoint>

/** An endpoint with its new secret, which is in this answer and never again. */
export const EndpointWithSecret = Type.Object({
  ...Endpoint.properties,
  signing_secret: Nullable(Type.String(), {
    description:
      'Secret of HMAC signatures: `whsec_` and base64; null for Ed25519, which `public_key` checks.',
  }),
})
export type EndpointWithSecret = Static<typeof EndpointWithSecret>

/** Not wrapped. */
export const EndpointRequest = Type.Object({
  name: fields.name,
  url: fields.url,
  events: Type.Optional(annotated(fields.events, { default: ['message_new'] })),
  chat_ids: Type.Optional(fields.chat_ids),
  trigger: Type.Optional(annotated(fields.trigger, { default: 'commands' })),
  headers: Type.Optional(headers),
  signature: Type.Optional(
    annotated(EndpointSignature, { default: 'hmac', description: 'How its requests are signed.' }),
  ),
})
export type EndpointRequest = Static<typeof EndpointRequest>

/** Only passed fields change. Of endpoint 0 only `url`, `events` and `trigger` can be changed. */
export const EndpointUpdateRequest = Type.Partial(Type.Object({ ...fields, headers }))
export type EndpointUpdateRequest = Static<typeof EndpointUpdateRequest>

export const EndpointRotation = Type.Object({
  grace_s: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: 604_800,
      default: 86_400,
      description: 'How long the old key signs as well; 0 ends it at once.',
    }),
  ),
  signature: Type.Optional(
    annotated(EndpointSignature, {
      description: 'Kind of the new key; the kind of the old one when absent.',
    }),
  ),
})
export type EndpointRotation = Static<typeof EndpointRotation>

/** What an endpoint answered to a request that was sent to try it. */
export const EndpointTest = Type.Object({
  event_id: Type.String({ description: 'The header `webhook-id` of the request.' }),
  status: Nullable(Type.Integer(), { description: 'What the receiver answered; null when it did not.' }),
  duration_ms: Type.Integer(),
  error: Nullable(Type.String(), { description: 'Why there was no answer.' }),
  error_code: DeliveryErrorCode,
})
export type EndpointTest = Static<typeof EndpointTest>

const EDITORS = 'Whoever may edit the bot.'
const ADMINS_AIM =
  'Whoever may edit the bot; where the endpoint hears of links in every chat, admins of the workspace alone.'
const MANAGERS = 'Creator; workspace admin when can_edit holds `admin`.'
const OWN = 'Bot tokens only, own endpoints only.'
const rest = { area: 'Bots', plan: null, rate: 'other', addition: true } as const
const writing = { ...rest, scope: 'bots:write', roles: EMPLOYEES } as const
const reading = { ...rest, scope: 'bots:read', roles: EMPLOYEES, access: EDITORS } as const
const ownWriting = { ...rest, scope: 'bot_self:webhook:write', roles: BOTS, access: OWN } as const
const ownReading = { ...rest, scope: 'webhooks:read', roles: BOTS, access: OWN } as const

const ofBot = Type.Object({ id: Id })
const oneOfBot = Type.Object({ id: Id, endpoint_id: Id })
const oneOfOwn = Type.Object({ endpoint_id: Id })
const paging = Type.Object({ limit: Type.Optional(Limit(50)), cursor: Type.Optional(Cursor) })

const SETTING_CODES = [
  'blank',
  'too_long',
  'already_exists',
  'invalid',
  'invalid_webhook_url',
  'max_length',
] as const
const creating = {
  method: 'POST',
  body: EndpointRequest,
  returns: { status: 201, body: Data(EndpointWithSecret) },
  problems: { 403: ['not_authorized'], 404: ['not_found'], 422: SETTING_CODES },
  confined: false,
} as const
const changing = {
  method: 'PUT',
  body: EndpointUpdateRequest,
  returns: { status: 200, body: Data(Endpoint) },
  problems: { 403: ['not_authorized'], 404: ['not_found'], 422: [...SETTING_CODES, 'not_applicable'] },
  confined: false,
} as const
const rotating = {
  method: 'POST',
  body: EndpointRotation,
  bodyOptional: true,
  returns: { status: 200, body: Data(EndpointWithSecret) },
  problems: { 404: ['not_found'], 422: ['invalid', 'not_applicable'] },
} as const
const testing = {
  method: 'POST',
  dryRun: false,
  returns: { status: 200, body: Data(EndpointTest) },
  problems: { 404: ['not_found'], 422: ['not_applicable'] },
} as const

const CREATE = {
  summary: 'A further address for the webhooks of a bot',
  description:
    'At most 10. Each has its own filter, key and pause, and a slow one holds up no other. An event has the same id and body at each. Presses of buttons and answers to forms go to endpoint 0 alone.',
}
const LIST = {
  summary: 'Addresses of a bot, oldest first',
  description: 'Begins with endpoint 0, `default`: the `outgoing_url` of the bot.',
}
const UPDATE = { summary: 'Change an endpoint' }
const DELETE = {
  summary: 'Delete an endpoint',
  description: 'What waits for it is cancelled. Of endpoint 0 the address is taken away.',
}
const ROTATE = {
  summary: 'New key for an endpoint',
  description:
    'The next attempt is signed with it already. For `grace_s` seconds `webhook-signature` holds a signature of the old key as well, after that of the new one.',
}
const TEST = {
  summary: 'Send a request to an endpoint to try it',
  description:
    'One signed request, at once, with the body `{"type": "test", "event": "test", …}`. It is in no log and counts as no failure.',
}
const RESUME = {
  summary: 'Send what waits for a paused endpoint',
  description: 'Everything that waits is due at once, in order; the count of failures starts again.',
}

export const createEndpoint = operation({
  id: 'createEndpoint',
  ...CREATE,
  ...creating,
  ...writing,
  access: ADMINS_AIM,
  path: '/bots/{id}/endpoints',
  params: ofBot,
})

export const listEndpoints = operation({
  id: 'listEndpoints',
  ...LIST,
  ...reading,
  method: 'GET',
  path: '/bots/{id}/endpoints',
  params: ofBot,
  query: paging,
  returns: { status: 200, body: Page(Endpoint) },
  problems: { 404: ['not_found'] },
})

export const getEndpoint = operation({
  id: 'getEndpoint',
  summary: 'One endpoint',
  ...reading,
  method: 'GET',
  path: '/bots/{id}/endpoints/{endpoint_id}',
  params: oneOfBot,
  returns: { status: 200, body: Data(Endpoint) },
  problems: { 404: ['not_found'] },
})

export const updateEndpoint = operation({
  id: 'updateEndpoint',
  ...UPDATE,
  ...changing,
  ...writing,
  access: ADMINS_AIM,
  path: '/bots/{id}/endpoints/{endpoint_id}',
  params: oneOfBot,
})

export const deleteEndpoint = operation({
  id: 'deleteEndpoint',
  ...DELETE,
  ...writing,
  access: EDITORS,
  method: 'DELETE',
  path: '/bots/{id}/endpoints/{endpoint_id}',
  params: oneOfBot,
  returns: { status: 204 },
  problems: { 403: ['not_authorized'], 404: ['not_found'] },
})

export const rotateEndpointSecret = operation({
  id: 'rotateEndpointSecret',
  ...ROTATE,
  ...rotating,
  ...writing,
  access: MANAGERS,
  path: '/bots/{id}/endpoints/{endpoint_id}/rotate_secret',
  params: oneOfBot,
})

export const testEndpoint = operation({
  id: 'testEndpoint',
  ...TEST,
  ...testing,
  ...writing,
  access: EDITORS,
  path: '/bots/{id}/endpoints/{endpoint_id}/test',
  params: oneOfBot,
})

export const resumeEndpoint = operation({
  id: 'resumeEndpoint',
  ...RESUME,
  ...writing,
  access: EDITORS,
  method: 'POST',
  path: '/bots/{id}/endpoints/{endpoint_id}/resume',
  params: oneOfBot,
  returns: { status: 204 },
  problems: { 404: ['not_found'] },
})

export const createOwnEndpoint = operation({
  id: 'createOwnEndpoint',
  ...CREATE,
  summary: 'A bot adds an address for its webhooks',
  ...creating,
  ...ownWriting,
  path: '/bot/endpoints',
})

export const listOwnEndpoints = operation({
  id: 'listOwnEndpoints',
  ...LIST,
  summary: 'Addresses of the calling bot, oldest first',
  ...ownReading,
  method: 'GET',
  path: '/bot/endpoints',
  query: paging,
  returns: { status: 200, body: Page(Endpoint) },
})

export const getOwnEndpoint = operation({
  id: 'getOwnEndpoint',
  summary: 'One endpoint of the calling bot',
  ...ownReading,
  method: 'GET',
  path: '/bot/endpoints/{endpoint_id}',
  params: oneOfOwn,
  returns: { status: 200, body: Data(Endpoint) },
  problems: { 404: ['not_found'] },
})

export const updateOwnEndpoint = operation({
  id: 'updateOwnEndpoint',
  summary: 'A bot changes an endpoint of its own',
  description: 'Of endpoint 0 only the `url`.',
  ...changing,
  ...ownWriting,
  path: '/bot/endpoints/{endpoint_id}',
  params: oneOfOwn,
})

export const deleteOwnEndpoint = operation({
  id: 'deleteOwnEndpoint',
  ...DELETE,
  summary: 'A bot deletes an endpoint of its own',
  ...ownWriting,
  method: 'DELETE',
  path: '/bot/endpoints/{endpoint_id}',
  params: oneOfOwn,
  returns: { status: 204 },
  problems: { 403: ['not_authorized'], 404: ['not_found'] },
})

export const rotateOwnEndpointSecret = operation({
  id: 'rotateOwnEndpointSecret',
  ...ROTATE,
  summary: 'New key for an endpoint of the calling bot',
  ...rotating,
  ...ownWriting,
  path: '/bot/endpoints/{endpoint_id}/rotate_secret',
  params: oneOfOwn,
})

export const testOwnEndpoint = operation({
  id: 'testOwnEndpoint',
  ...TEST,
  summary: 'A bot sends a request to an endpoint of its own to try it',
  ...testing,
  ...ownWriting,
  path: '/bot/endpoints/{endpoint_id}/test',
  params: oneOfOwn,
})

export const resumeOwnEndpoint = operation({
  id: 'resumeOwnEndpoint',
  ...RESUME,
  summary: 'A bot resumes an endpoint of its own',
  ...ownWriting,
  method: 'POST',
  path: '/bot/endpoints/{endpoint_id}/resume',
  params: oneOfOwn,
  returns: { status: 204 },
  problems: { 404: ['not_found'] },
})
