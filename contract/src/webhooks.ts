import { type Static, Type } from 'typebox'
import { DeliveryErrorCode } from './delivery-errors.js'
import { BOT_EVENT_NAMES } from './event-names.js'
import { operation } from './operation.js'
import { WebhookPayloadUnion } from './payloads.js'
import { BOTS, EMPLOYEES, NO_TOKEN } from './scopes.js'
import {
  annotated,
  Cursor,
  Enum,
  Id,
  Limit,
  Nullable,
  NullableTimestamp,
  Page,
  TimeInput,
  Timestamp,
} from './shapes.js'

/** Any JSON object; with a template all fields are at its disposal. */
export const InboundWebhookRequest = Type.Object({
  message: Type.Optional(Type.String({ description: 'Text to post when the bot has no template.' })),
})
export type InboundWebhookRequest = Static<typeof InboundWebhookRequest>

/** Names of events in the queue: every subscribable event, plus the form answer. */
export const QueuedEventType = Enum([...BOT_EVENT_NAMES, 'view_submit'])
export type QueuedEventType = Static<typeof QueuedEventType>

/** Saved delivery in the queue of a bot. */
export const WebhookEvent = Type.Object({
  id: Type.String({ description: 'Opaque text id.' }),
  event_type: QueuedEventType,
  payload: WebhookPayloadUnion,
  created_at: Timestamp,
})
export type WebhookEvent = Static<typeof WebhookEvent>

export const listWebhookEvents = operation({
  id: 'listWebhookEvents',
  area: 'Webhook events',
  summary: 'Queue of a bot, newest first',
  access: 'Own queue of the calling bot; filled only while events_history_enabled is on.',
  method: 'GET',
  path: '/webhooks/events',
  scope: 'webhooks:events:read',
  plan: null,
  roles: BOTS,
  rate: 'events-poll',
  query: Type.Object({
    limit: Type.Optional(Limit(50)),
    cursor: Type.Optional(Cursor),
  }),
  returns: { status: 200, body: Page(WebhookEvent) },
  neverAnswered: [422],
})

export const deleteWebhookEvent = operation({
  id: 'deleteWebhookEvent',
  area: 'Webhook events',
  summary: 'Remove a handled event',
  access: 'Bot tokens only, own queue only.',
  method: 'DELETE',
  path: '/webhooks/events/{id}',
  scope: 'webhooks:events:delete',
  plan: null,
  roles: BOTS,
  rate: 'other',
  params: Type.Object({ id: Type.String() }),
  returns: { status: 204 },
  problems: { 404: ['not_found'] },
})

export const postInboundWebhook = operation({
  id: 'postInboundWebhook',
  area: 'Webhook events',
  summary: 'Post through the inbound webhook of a bot',
  description:
    'Lives at the server root, not under the version segment. The text goes to every conversation and channel of the bot; no way into personal chats or threads. At most 40000 bytes of text; an empty result posts nothing. A broken template posts the template error as the text. Without a template the field `message` or `text` is posted. The answer tells the text and the number of chats in `posted`, or null there and the reason.',
  access: 'No token; the key is the secret.',
  method: 'POST',
  path: '/webhooks/{webhook_key}',
  root: true,
  scope: null,
  plan: null,
  roles: NO_TOKEN,
  rate: 'inbound-webhook',
  params: Type.Object({ webhook_key: Type.String() }),
  body: InboundWebhookRequest,
  media: ['application/json', 'application/x-www-form-urlencoded', 'multipart/form-data'],
  returns: { status: 200, body: Type.Record(Type.String(), Type.Unknown()) },
  problems: { 403: ['access_denied'], 404: ['not_found'], 415: [] },
})

export const DeliveryState = Enum(['pending', 'delivered', 'failed', 'cancelled'])
export type DeliveryState = Static<typeof DeliveryState>

/** One try to deliver a webhook. */
export const DeliveryAttempt = Type.Object({
  number: Type.Integer(),
  at: Timestamp,
  status: Nullable(Type.Integer(), { description: 'What the receiver answered; null when it did not.' }),
  duration_ms: Type.Integer(),
  error: Nullable(Type.String()),
  error_code: DeliveryErrorCode,
})
export type DeliveryAttempt = Static<typeof DeliveryAttempt>

/** An outgoing webhook and what became of it. */
export const Delivery = Type.Object({
  id: Type.Integer({ format: 'int64' }),
  event_id: Type.String({ description: 'The same in every attempt: the header `webhook-id`.' }),
  event_type: QueuedEventType,
  chat_id: Nullable(Id),
  endpoint_id: annotated(Id, {
    description: 'The endpoint it goes to; 0 for the `outgoing_url` of the bot.',
  }),
  replay_id: Nullable(Id, { description: 'The replay that sends it; null for what happened just now.' }),
  state: DeliveryState,
  created_at: Timestamp,
  next_attempt_at: annotated(NullableTimestamp, {
    description: 'When it is tried again; null before the first attempt, after the last, and while paused.',
  }),
  payload: Type.Object({}, { description: 'The body without `webhook_timestamp`, which each attempt adds.' }),
  attempts: Type.Array(DeliveryAttempt),
})
export type Delivery = Static<typeof Delivery>

export const listDeliveries = operation({
  id: 'listDeliveries',
  area: 'Bots',
  summary: 'Outgoing webhooks of a bot and their attempts, newest first',
  access: 'Whoever may edit the bot.',
  method: 'GET',
  path: '/bots/{id}/deliveries',
  scope: 'bots:read',
  plan: null,
  roles: EMPLOYEES,
  rate: 'other',
  params: Type.Object({ id: Id }),
  query: Type.Object({
    state: Type.Optional(DeliveryState),
    endpoint_id: Type.Optional(annotated(Id, { description: 'Only those to this endpoint.' })),
    replay_id: Type.Optional(annotated(Id, { description: 'Only those of this replay.' })),
    created_from: Type.Optional(annotated(TimeInput, { description: 'Made at this time or later.' })),
    created_to: Type.Optional(annotated(TimeInput, { description: 'Made at this time or earlier.' })),
    limit: Type.Optional(Limit(50)),
    cursor: Type.Optional(Cursor),
  }),
  returns: { status: 200, body: Page(Delivery) },
  problems: { 404: ['not_found'] },
  addition: true,
})

export const redeliver = operation({
  id: 'redeliver',
  area: 'Bots',
  summary: 'Send one webhook again',
  description: 'Whatever its state; it keeps its event id and gets the whole schedule of attempts anew.',
  access: 'Whoever may edit the bot.',
  method: 'POST',
  path: '/bots/{id}/deliveries/{delivery_id}/redeliver',
  scope: 'bots:write',
  plan: null,
  roles: EMPLOYEES,
  rate: 'other',
  params: Type.Object({ id: Id, delivery_id: Id }),
  returns: { status: 202 },
  problems: { 404: ['not_found'], 422: ['not_applicable'] },
  addition: true,
})

export const redeliverRange = operation({
  id: 'redeliverRange',
  area: 'Bots',
  summary: 'Send the webhooks of a time range again',
  description: 'Those that failed or were cancelled, or those in the state that is asked for.',
  access: 'Whoever may edit the bot.',
  method: 'POST',
  path: '/bots/{id}/deliveries/redeliver',
  scope: 'bots:write',
  plan: null,
  roles: EMPLOYEES,
  rate: 'other',
  params: Type.Object({ id: Id }),
  body: Type.Object({
    created_from: TimeInput,
    created_to: TimeInput,
    state: Type.Optional(DeliveryState),
  }),
  returns: { status: 202 },
  problems: { 404: ['not_found'], 422: ['invalid', 'invalid_date_range', 'not_applicable'] },
  addition: true,
})
